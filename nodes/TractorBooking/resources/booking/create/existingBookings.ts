import type { IDataObject } from 'n8n-workflow';

import type { BookingRequest } from '../../../api/types';
import type { DateRules } from '../../../parse/dates';
import type { ServiceClient } from '../../../api/client';
import { ServiceError } from '../../../api/errors';
import { collectList } from '../../../api/pages/pages';
import { asText } from '../../../utils/text';
import { bookingsList } from '../bookingsList';
import type { MatchField } from './matchKey';
import { dateOrderOf, fieldsToCompare, isUnreadable, matchKey } from './matchKey';

/** The bookings by what they are compared in. */
interface Index {
	/** Fields that the bookings can be compared in. */
	comparableFields: MatchField[];
	/** Fields that they cannot be compared in, although the interface promises them. */
	missing: MatchField[];
	/** How the service writes its dates. */
	rules: DateRules;
	byKey: Map<string, IDataObject[]>;
	/** Bookings that cannot be compared in all fields, by the fields that remain. */
	partial: Map<string, PartialIndex>;
}

/** Bookings that can be compared in some fields only. */
interface PartialIndex {
	readable: MatchField[];
	byKey: Map<string, IDataObject[]>;
}

/** A booking that may equal a request: the fields in which it cannot be compared have no readable value. */
export interface PossibleMatch {
	booking: IDataObject;
	unreadable: MatchField[];
}

/** The bookings that exist when the node starts, to recognise rows that are booked already. */
export class ExistingBookings {
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
	static async fetch(client: ServiceClient, timezone: string): Promise<ExistingBookings> {
		return new ExistingBookings(await collectList(bookingsList(client), Infinity), timezone);
	}

	/**
	 * The existing bookings that equal a request in the match fields. A field that the service never returns
	 * is passed over, unless the interface says that it is returned.
	 *
	 * @throws ServiceError (`unreadable`) when the bookings cannot be compared in the match fields
	 */
	matching(request: BookingRequest, matchFields: readonly MatchField[]): IDataObject[] {
		const { comparableFields, byKey } = this.usableIndexOver(matchFields);
		const key = matchKey(request, comparableFields);
		return key === undefined ? [] : (byKey.get(key) ?? []);
	}

	/**
	 * The bookings that may equal a request in the match fields, since a value of theirs cannot be read and the
	 * others are equal.
	 *
	 * @throws ServiceError (`unreadable`) when the bookings cannot be compared in the match fields
	 */
	possibleMatches(request: BookingRequest, matchFields: readonly MatchField[]): PossibleMatch[] {
		const { comparableFields, partial } = this.usableIndexOver(matchFields);
		return [...partial.values()].flatMap(({ readable, byKey }) => {
			const key = matchKey(request, readable);
			const bookings = (key !== undefined && byKey.get(key)) || [];
			const unreadable = comparableFields.filter((field) => !readable.includes(field));
			return bookings.map((booking) => ({ booking, unreadable }));
		});
	}

	private usableIndexOver(matchFields: readonly MatchField[]): Index {
		const index = this.indexOver(matchFields);
		const { comparableFields, missing } = index;
		const isUsable = missing.length === 0 && comparableFields.length > 0;
		if (isUsable || this.records.length === 0) return index;
		const fields = (missing.length > 0 ? missing : matchFields).join(' and ');
		throw new ServiceError(
			'unreadable',
			`The service returns its bookings without a readable ${fields}`,
			{
				description:
					'Rows that are booked already cannot be recognised. Choose other match fields, or set If Already Booked to Create Anyway.',
			},
		);
	}

	private indexOver(fields: readonly MatchField[]): Index {
		const name = fields.join();
		const known = this.indexes.get(name);
		if (known) return known;
		const { records, timezone } = this;
		const hasDates = fields.includes('serviceDate');
		const rules = { timezone, dateOrder: hasDates ? dateOrderOf(records, timezone) : undefined };
		const { comparableFields, missing } = fieldsToCompare(records, fields, rules);
		const index: Index = { comparableFields, missing, rules, byKey: new Map(), partial: new Map() };
		for (const record of records) {
			const key = matchKey(record, comparableFields, rules);
			if (key === undefined) this.addPartial(index, record);
			else addTo(index.byKey, key, record);
		}
		this.indexes.set(name, index);
		return index;
	}

	private addPartial({ comparableFields, rules, partial }: Index, record: IDataObject): void {
		const readable = comparableFields.filter((field) => !isUnreadable(record, field, rules));
		// What cannot be compared in any field would equal every row.
		if (readable.length === 0) return;
		const key = matchKey(record, readable, rules);
		// An empty value equals none of a row.
		if (key === undefined) return;
		const fresh: PartialIndex = { readable, byKey: new Map() };
		const group = partial.get(readable.join()) ?? fresh;
		addTo(group.byKey, key, record);
		partial.set(readable.join(), group);
	}
}

function addTo(map: Map<string, IDataObject[]>, key: string, record: IDataObject): void {
	const records = map.get(key);
	if (records) records.push(record);
	else map.set(key, [record]);
}
