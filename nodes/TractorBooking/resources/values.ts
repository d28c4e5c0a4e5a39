import type { IDataObject } from 'n8n-workflow';

import type { Cell, Complaint } from '../parse/issue';
import { complaintOf, complaintText } from '../parse/issue';
import { readCoordinate } from '../parse/coordinates';
import { cleanText } from '../parse/text';

/** Input that cannot be right, so that nothing was sent. The message is made of all complaints. */
export class RefusedInput extends Error {
	constructor(readonly complaints: readonly Complaint[]) {
		super(complaints.map(complaintText).join(' '));
		this.name = 'RefusedInput';
	}
}

/**
 * The value of a cell that was read from a field of the node.
 *
 * @param label name of the field in the editor
 * @throws RefusedInput
 */
export function accepted<T>(cell: Cell<T>, label: string, value: unknown): T {
	if (cell.ok) return cell.value;
	throw new RefusedInput([complaintOf(label, value, cell)]);
}

/**
 * A coordinate from two fields, in decimal degrees.
 *
 * @throws RefusedInput
 */
export function readCoordinates(latitude: unknown, longitude: unknown) {
	return {
		latitude: accepted(readCoordinate(latitude, 'latitude'), 'Latitude', latitude),
		longitude: accepted(readCoordinate(longitude, 'longitude'), 'Longitude', longitude),
	};
}

/**
 * The identifiers in a field: one value, a list, JSON text of a list, or text separated by commas,
 * semicolons, white space or line breaks. Each once, as text, in order.
 *
 * @throws RefusedInput when there is none
 */
export function readIds(value: unknown, label: string): string[] {
	const ids = [...new Set(flatIds(value))];
	// Dots alone are steps in an address, however they are encoded.
	const hasSteps = ids.some((id) => /^\.{1,2}$/.test(id));
	if (ids.length > 0 && !hasSteps) return ids;
	throw new RefusedInput([
		{ field: label, value, problem: 'holds no identifier', fix: 'enter at least one, e.g. 1042' },
	]);
}

function flatIds(value: unknown): string[] {
	if (Array.isArray(value)) return value.flatMap(flatIds);
	if (typeof value !== 'string' && typeof value !== 'number') return [];
	return cleanText(String(value))
		.replace(/[[\]"']/g, ' ')
		.split(/[\s,;]+/)
		.filter((id) => id !== '');
}

/**
 * The one identifier in a field.
 *
 * @throws RefusedInput when there is none, or more than one
 */
export function readId(value: unknown, label: string): string {
	const [id, ...others] = readIds(value, label);
	if (id !== undefined && others.length === 0) return id;
	throw new RefusedInput([
		{ field: label, value, problem: 'holds more than one identifier', fix: 'enter one only' },
	]);
}

/** A copy of a record for one item, so that items which share a read do not share objects. */
export function copyOf(record: IDataObject): IDataObject {
	return { ...record };
}

/** Copies of the records for one item. */
export function copies(records: IDataObject[]): IDataObject[] {
	return records.map(copyOf);
}
