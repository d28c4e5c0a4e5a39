import type { INode, INodeParameters } from 'n8n-workflow';

/** Node types of the package, as n8n names them after `npm install` in its folder. */
export const ACTION = 'n8n-nodes-tractor-booking.tractorBooking';
export const TRIGGER_NODE = 'n8n-nodes-tractor-booking.tractorBookingTrigger';

/** A node of a workflow file. @param type of n8n's own nodes without the name of their package */
export function nodeOf(
	name: string,
	type: string,
	typeVersion: number,
	parameters: INodeParameters,
	more: Partial<INode> = {},
): INode {
	const fullType = type.includes('.') ? type : `n8n-nodes-base.${type}`;
	return { id: name, name, type: fullType, typeVersion, position: [0, 0], parameters, ...more };
}

/** The connections of a node: from its output to other nodes. */
export const to = (...names: string[]) => ({
	main: [names.map((node) => ({ node, type: 'main' as const, index: 0 }))],
});
