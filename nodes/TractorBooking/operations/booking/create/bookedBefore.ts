import type { IDataObject } from 'n8n-workflow';

import type { BookingRequest } from '../../../input/bookingFields';
import type { ServiceClient } from '../../../service/client';
import { ServiceError } from '../../../service/errors';
import { readPagedList } from '../../../service/pagination';
import { asText } from '../../../service/text';
import { bookingsList } from '../bookingsList';
import type { MatchField } from './sameBooking';
import { fieldsToCompare, matchKey } from './sameBooking';

/** The bookings that exist when the node starts, to recognise rows that are booked already. */
export class BookedBefore {
	private readonly indexes = new Map<string, Map<string, IDataObject[]>>();

	/** Identifiers of the bookings. */
	readonly ids: ReadonlySet<string>;

	private constructor(private readonly records: readonly IDataObject[]) {
		this.ids = new Set(records.map(({ bookingID }) => asText(bookingID)));
	}

	/**
	 * Reads all bookings of the organisation once (interface, "List bookings").
	 *
	 * @throws ServiceError
	 */
	static async read(client: ServiceClient): Promise<BookedBefore> {
		return new BookedBefore(await readPagedList(bookingsList(client), Infinity));
	}

	/**
	 * The existing bookings that equal a request in the match fields. A field that the service never returns
	 * is passed over, unless the interface says that it is returned.
	 *
	 * @throws ServiceError (`unreadable`) when the bookings cannot be compared in the match fields
	 */
	matching(request: BookingRequest, matchFields: readonly MatchField[]): IDataObject[] {
		if (this.records.length === 0) return [];
		const { carried, missing } = fieldsToCompare(this.records, matchFields);
		if (missing.length > 0 || carried.length === 0) {
			const fields = (missing.length > 0 ? missing : matchFields).join(', ');
			throw new ServiceError('unreadable', `The bookings of the service come without ${fields}`, {
				description:
					'So a row that is booked already cannot be recognised. Choose other match fields, or set If Already Booked to Create Anyway.',
			});
		}
		const key = matchKey(request, carried);
		return key === undefined ? [] : (this.indexOver(carried).get(key) ?? []);
	}

	private indexOver(fields: readonly MatchField[]): Map<string, IDataObject[]> {
		const name = fields.join();
		let index = this.indexes.get(name);
		if (!index) {
			index = new Map();
			for (const record of this.records) {
				const key = matchKey(record, fields);
				if (key === undefined) continue;
				const same = index.get(key);
				if (same) same.push(record);
				else index.set(key, [record]);
			}
			this.indexes.set(name, index);
		}
		return index;
	}
}
