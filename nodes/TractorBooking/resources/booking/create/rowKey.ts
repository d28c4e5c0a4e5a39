import type { BookingRequest } from '../../../api/types';
import { isSamePhone, phoneTail } from '../../../parse/phones';
import { compareNames, fold } from '../../../utils/text';
import { nameKey } from './likeness';
import type { CreateSettings } from './settings';

/** The values by which a row is compared with another one. */
export interface RowKey {
	/** Equal for all rows that are the same; of a phone, it holds its last digits only. */
	text: string;
	phone?: string;
}

/** A row with a request; its service is a number in the request, or a name. */
interface Typed {
	request: BookingRequest;
	serviceName?: string;
	/** The tractor, if it was chosen for the row. */
	tractor?: unknown;
}

/** Fields in which rows may differ and be one row typed twice. The phone is compared as such. */
const NOT_TOLD_APART: ReadonlySet<string> = new Set(['farmNote', 'gender', 'farmerPhone']);

function keyOf(values: Partial<Record<keyof BookingRequest, unknown>>, phone?: string): RowKey {
	const texts = Object.entries(values)
		.filter(([field, value]) => value !== undefined && !NOT_TOLD_APART.has(field))
		.sort(([one], [other]) => compareNames(one, other))
		.map(([field, value]) => {
			if (typeof value !== 'string') return [field, value];
			return [field, field === 'farmerName' ? nameKey(value) : fold(value)];
		});
	return { text: JSON.stringify([...texts, phone && phoneTail(phone)]), phone };
}

/** The values of a row that tell it from another one: equal for one row that is typed twice. */
export function wholeKey({ request, serviceName, tractor }: Typed): RowKey {
	const { serviceType = serviceName, tractorId, farmerPhone, ...values } = request;
	// A tractor that was chosen is no part of what was typed.
	const typed = { ...values, serviceType, tractorId: tractor ? undefined : tractorId };
	return keyOf(typed, farmerPhone);
}

/** The values of a row in its match fields. */
export function matchKey(row: Typed & { settings: Pick<CreateSettings, 'matchFields'> }): RowKey {
	const { matchFields } = row.settings;
	const request: Record<string, unknown> = { serviceType: row.serviceName, ...row.request };
	const values = Object.fromEntries(matchFields.map((field) => [field, request[field]]));
	return keyOf(values, matchFields.includes('farmerPhone') ? row.request.farmerPhone : undefined);
}

export function isSameKey(one: RowKey, other: RowKey): boolean {
	return one.text === other.text && isSamePhone(one.phone ?? '', other.phone ?? '');
}

/** Finds the rows that are equal in the values of a key. */
export class RowIndex<Row> {
	private readonly places = new Map<string, Array<{ key: RowKey; row: Row }>>();

	constructor(
		rows: readonly Row[],
		private readonly keyOf: (row: Row) => RowKey,
	) {
		for (const row of rows) {
			const key = keyOf(row);
			const place = this.places.get(key.text);
			if (place) place.push({ key, row });
			else this.places.set(key.text, [{ key, row }]);
		}
	}

	/** The rows that are equal to a row, in their order. */
	equalTo(row: Row): Row[] {
		const key = this.keyOf(row);
		const equal = (this.places.get(key.text) ?? []).filter((other) => isSameKey(other.key, key));
		return equal.map((other) => other.row);
	}
}
