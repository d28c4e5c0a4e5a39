import type { IDataObject } from 'n8n-workflow';

import type { BookingRequest } from '../../../input/bookingFields';
import type { ServiceClient } from '../../../service/client';
import { ServiceError } from '../../../service/errors';
import { readPagedList } from '../../../service/pagination';
import { asText } from '../../../service/text';
import { bookingsList } from '../bookingsList';
import type { MatchField } from './sameBooking';
import { fieldsToCompare, matchKey } from './sameBooking';

/** The bookings by what they are compared in. */
interface Index {
	/** Fields that the bookings can be compared in. */
	carried: MatchField[];
	/** Fields that they cannot be compared in, although the interface promises them. */
	missing: MatchField[];
	byKey: Map<string, IDataObject[]>;
}

/** The bookings that exist when the node starts, to recognise rows that are booked already. */
export class BookedBefore {
	private readonly indexes = new Map<string, Index>();

	/** Identifiers of the bookings. */
	readonly ids: ReadonlySet<string>;

	private constructor(
		private readonly records: readonly IDataObject[],
		private readonly timezone: string,
	) {
		this.ids = new Set(records.map(({ bookingID }) => asText(bookingID)));
	}

	/**
	 * Reads all bookings of the organisation once (interface, "List bookings").
	 *
	 * @param timezone IANA name, in which a service date that is given as an instant is a day
	 * @throws ServiceError
	 */
	static async read(client: ServiceClient, timezone: string): Promise<BookedBefore> {
		return new BookedBefore(await readPagedList(bookingsList(client), Infinity), timezone);
	}

	/**
	 * The existing bookings that equal a request in the match fields. A field that the service never returns
	 * is passed over, unless the interface says that it is returned.
	 *
	 * @throws ServiceError (`unreadable`) when the bookings cannot be compared in the match fields
	 */
	matching(request: BookingRequest, matchFields: readonly MatchField[]): IDataObject[] {
		if (this.records.length === 0) return [];
		const { carried, missing, byKey } = this.indexOver(matchFields);
		if (missing.length > 0 || carried.length === 0) {
			const fields = (missing.length > 0 ? missing : matchFields).join(' and ');
			throw new ServiceError(
				'unreadable',
				`The bookings of the service come without a readable ${fields}`,
				{
					description:
						'So a row that is booked already cannot be recognised. Choose other match fields, or set If Already Booked to Create Anyway.',
				},
			);
		}
		const key = matchKey(request, carried);
		return key === undefined ? [] : (byKey.get(key) ?? []);
	}

	private indexOver(fields: readonly MatchField[]): Index {
		const name = fields.join();
		const known = this.indexes.get(name);
		if (known) return known;
		const { carried, missing } = fieldsToCompare(this.records, fields, this.timezone);
		const byKey = new Map<string, IDataObject[]>();
		for (const record of this.records) {
			const key = matchKey(record, carried, this.timezone);
			if (key === undefined) continue;
			const same = byKey.get(key);
			if (same) same.push(record);
			else byKey.set(key, [record]);
		}
		const index = { carried, missing, byKey };
		this.indexes.set(name, index);
		return index;
	}
}
