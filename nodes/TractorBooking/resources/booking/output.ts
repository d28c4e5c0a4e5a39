import type { IDataObject, IExecuteFunctions, INodeProperties } from 'n8n-workflow';

import { BOOKING_FIELDS, pickFields, withStatusLabel } from '../../api/status';
import { choice, field, simplify } from '../../methods/fields';
import { parseChoice, parseSwitch, valuesOf } from '../../parse/choices';
import { unwrap } from '../../parse/issue';
import { compareNames } from '../../utils/text';
import { getParameter, type Output } from '../operation';

const OUTPUTS = ['raw', 'selectedFields', 'simplified'] as const;

/** `Booking ID` for `bookingID`. */
const titleOf = (name: string) =>
	name.replace(/^[a-z]/, (letter) => letter.toUpperCase()).replace(/(?<=[a-z])(?=[A-Z])/g, ' ');

const inTool = { '@tool': [true] };

const fields: INodeProperties[] = [
	{ ...simplify, displayOptions: { hide: inTool } },
	{
		...choice('Output', 'output', 'The fields of a booking that the agent gets', 'simplified', [
			['Raw', 'raw', 'All fields that the service sends'],
			['Selected Fields', 'selectedFields', 'The booking ID, and the fields that you choose'],
			['Simplified', 'simplified', 'The documented fields'],
		]),
		displayOptions: { show: inTool },
	},
	field('Fields', 'fields', 'multiOptions', [], 'Fields for the agent beside the booking ID', {
		options: BOOKING_FIELDS.filter((name) => name !== 'bookingID')
			.map((value) => ({ name: titleOf(value), value }))
			.sort((a, b) => compareNames(a.name, b.name)),
		displayOptions: { show: { ...inTool, output: ['selectedFields'] } },
	}),
];

/** @throws InvalidInputError if an expression returned none of the choices */
function outputOf(
	context: IExecuteFunctions,
	itemIndex: number,
): (booking: IDataObject) => IDataObject {
	const simplifies = getParameter(context, 'simplify', itemIndex) ?? true;
	const isSimple = unwrap(parseSwitch(simplifies), 'Simplify', simplifies);
	// Only a tool has Output.
	const chosen = getParameter(context, 'output', itemIndex) ?? (isSimple ? 'simplified' : 'raw');
	const output = unwrap(parseChoice(chosen, OUTPUTS), 'Output', chosen);
	if (output === 'raw') return withStatusLabel;
	if (output === 'simplified') return (booking) => pickFields(booking);
	const names = valuesOf(getParameter(context, 'fields', itemIndex)).map((name) =>
		String(name).trim(),
	);
	return (booking) => pickFields(booking, names);
}

/** Simplify or, as a tool of an AI agent, Output: as n8n's UX guidelines ask of records with more than ten fields. */
export const bookingOutput: Output = { fields, outputOf };
