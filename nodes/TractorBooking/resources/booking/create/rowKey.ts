import type { BookingRequest } from '../../../api/types';
import { isSamePhone, phoneTail } from '../../../parse/phones';
import { asText, fold } from '../../../utils/text';
import { nameKey } from './likeness';
import type { CreateSettings } from './settings';

/** A row with a request; its service is a number in the request, or a name. */
interface Typed {
	request: BookingRequest;
	serviceName?: string;
	/** The tractor, if it was chosen for the row. */
	tractor?: unknown;
}

/** How fields are compared that are not compared as they are, or as folded text. */
const KEYS: Readonly<Record<string, (text: string) => string>> = {
	farmerName: nameKey,
	farmerPhone: phoneTail,
};

function keyOf(values: Record<string, unknown>): string {
	const ofField = ([field, value]: [string, unknown]) =>
		JSON.stringify([field, typeof value === 'string' ? (KEYS[field] ?? fold)(value) : value]);
	const isTyped = ([, value]: [string, unknown]) => value !== undefined;
	return Object.entries(values).filter(isTyped).map(ofField).sort().join();
}

/** The values of a row that tell it from another one; of its phone, the last digits only. */
function wholeKey({ request, serviceName, tractor }: Typed): string {
	const { serviceType = serviceName, ...others } = request;
	const values = { ...others, serviceType, farmNote: undefined, gender: undefined };
	// A tractor that was chosen is no part of what was typed.
	return keyOf(tractor ? { ...values, tractorId: undefined } : values);
}

/** The values of a row in its match fields: equal for rows that are the same in these, and for few others. */
export function matchKey(row: Typed & { settings: Pick<CreateSettings, 'matchFields'> }): string {
	const request: Record<string, unknown> = { serviceType: row.serviceName, ...row.request };
	return keyOf(
		Object.fromEntries(row.settings.matchFields.map((field) => [field, request[field]])),
	);
}

/** For each row, the first of those that are equal to it in everything but note and gender: one row typed twice. */
export function firstOfEqual<Row extends Typed>(rows: readonly Row[]): Map<Row, Row> {
	const firsts = new Map<string, Row[]>();
	const phoneOf = ({ request }: Row) => asText(request.farmerPhone);
	const firstOf = (row: Row) => {
		const key = wholeKey(row);
		const others = firsts.get(key) ?? [];
		const first = others.find((other) => isSamePhone(phoneOf(other), phoneOf(row)));
		if (!first) firsts.set(key, [...others, row]);
		return first ?? row;
	};
	return new Map(rows.map((row) => [row, firstOf(row)]));
}
