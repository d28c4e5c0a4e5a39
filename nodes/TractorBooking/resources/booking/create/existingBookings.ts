import type { IDataObject } from 'n8n-workflow';

import type { BookingRequest } from '../../../api/types';
import { ok } from '../../../parse/issue';
import { otherDayOf, recordDateParser } from '../../../parse/recordDate';
import { labelsOf } from '../../../parse/labels';
import { ServiceError } from '../../../api/errors';
import { asText } from '../../../utils/text';
import type { DateParser, MatchField } from './matchKey';
import {
	dateRulesOf,
	fieldsToCompare,
	isUnreadable,
	MatchIndex,
	recordKey,
	requestKey,
} from './matchKey';

/** Bookings indexed by the values of the match fields. */
interface Index {
	/** Match fields in which the bookings can be compared. */
	comparableFields: MatchField[];
	/** Match fields in which they cannot be compared, although the interface documents the fields. */
	missing: MatchField[];
	/** Parses the dates as the service writes them. */
	parseDate: DateParser;
	byKey: MatchIndex<IDataObject>;
	/** Bookings of which the day is not certain, by the other day that it may be. */
	otherDays: MatchIndex<IDataObject>;
	/** Bookings with unreadable match fields, by their readable fields. */
	partial: Map<string, PartialIndex>;
}

/** Bookings that are readable in the same part of the match fields. */
interface PartialIndex {
	readable: MatchField[];
	byKey: MatchIndex<IDataObject>;
}

/** A booking that may equal a request: all match fields are equal but for those that are unreadable. */
export interface PossibleMatch {
	booking: IDataObject;
	unreadable: MatchField[];
}

/** Existing bookings of the organisation, to recognise rows that are booked already. */
export class ExistingBookings {
	private readonly indexes = new Map<string, Index>();

	private readonly samples: readonly IDataObject[];

	/**
	 * @param timezone IANA name; the timezone in which a service date that is an instant becomes a day
	 * @param samples records from which it is judged how the service writes its fields, the bookings if there are none
	 */
	constructor(
		private readonly records: readonly IDataObject[],
		private readonly timezone: string,
		samples: readonly IDataObject[] = [],
	) {
		this.samples = samples.length > 0 ? samples : records;
	}

	/** The bookings with these bookingIDs. */
	withIds(ids: ReadonlySet<string>): IDataObject[] {
		return this.records.filter(({ bookingID }) => ids.has(asText(bookingID)));
	}

	/** The bookings with the phone of a request; none if the service does not return readable phones. */
	ofPhone(request: BookingRequest): IDataObject[] {
		const isReadable = this.comparedFields(['farmerPhone']).length > 0;
		return isReadable ? this.matching(request, ['farmerPhone']) : [];
	}

	/** The day of a booking, `YYYY-MM-DD`, as it is compared in these match fields; undefined if it cannot be read. */
	dayOf({ serviceDate }: IDataObject, matchFields: readonly MatchField[]): string | undefined {
		const day = this.indexOver(matchFields).parseDate(serviceDate);
		return day.ok ? day.value : undefined;
	}

	/**
	 * The existing bookings that equal a request in the match fields. A field that the service never returns is
	 * ignored, unless the interface documents it.
	 *
	 * @throws ServiceError (`unreadable`) if the bookings cannot be compared in the match fields
	 */
	matching(request: BookingRequest, matchFields: readonly MatchField[]): IDataObject[] {
		const { comparableFields, byKey, parseDate } = this.usableIndexOver(matchFields);
		const key = requestKey(request, comparableFields);
		if (key === undefined) return [];
		// What this process booked has all fields, whatever the service shows.
		const others = matchFields.filter((field) => !comparableFields.includes(field));
		const differs = (record: IDataObject) =>
			others.some((field) => {
				const theirs = recordKey(record, [field], parseDate);
				return theirs !== undefined && theirs.text !== requestKey(request, [field])?.text;
			});
		return byKey.find(key).filter((record) => !differs(record));
	}

	/**
	 * The bookings that may equal a request: some of their match fields are unreadable, and the others are equal.
	 *
	 * @throws ServiceError (`unreadable`) if the bookings cannot be compared in the match fields
	 */
	possibleMatches(request: BookingRequest, matchFields: readonly MatchField[]): PossibleMatch[] {
		const { comparableFields, partial } = this.usableIndexOver(matchFields);
		return [...partial.values()].flatMap(({ readable, byKey }) => {
			const key = requestKey(request, readable);
			const bookings = key === undefined ? [] : byKey.find(key);
			const unreadable = comparableFields.filter((field) => !readable.includes(field));
			return bookings.map((booking) => ({ booking, unreadable }));
		});
	}

	/** The bookings that equal a request if their day, which is not certain, is the other one that it may be. */
	besides(request: BookingRequest, matchFields: readonly MatchField[]): IDataObject[] {
		const { comparableFields, otherDays } = this.usableIndexOver(matchFields);
		const key = requestKey(request, comparableFields);
		return key === undefined ? [] : otherDays.find(key);
	}

	/** The match fields that are compared: without those that the service never returns. */
	comparedFields(matchFields: readonly MatchField[]): MatchField[] {
		return this.indexOver(matchFields).comparableFields;
	}

	private usableIndexOver(matchFields: readonly MatchField[]): Index {
		const index = this.indexOver(matchFields);
		const { comparableFields, missing } = index;
		const isUsable = missing.length === 0 && comparableFields.length > 0;
		if (isUsable || this.samples.length === 0) return index;
		const fields = labelsOf(missing.length > 0 ? missing : matchFields);
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
		const { records, samples, timezone } = this;
		const hasDates = fields.includes('serviceDate');
		const dates = hasDates ? dateRulesOf(samples, timezone) : { timezone };
		const parseDate = recordDateParser(dates);
		const { comparableFields, missing } = fieldsToCompare(samples, fields, parseDate);
		const byKey = new MatchIndex<IDataObject>();
		const otherDays = new MatchIndex<IDataObject>();
		const index: Index = {
			comparableFields,
			missing,
			parseDate,
			byKey,
			otherDays,
			partial: new Map(),
		};
		for (const record of records) {
			const key = recordKey(record, comparableFields, parseDate);
			if (key === undefined) this.addPartial(index, record);
			else byKey.add(key, record);
			const otherDay = hasDates ? otherDayOf(record.serviceDate, dates) : undefined;
			const otherKey = otherDay && recordKey(record, comparableFields, () => ok(otherDay));
			if (otherKey) otherDays.add(otherKey, record);
		}
		this.indexes.set(name, index);
		return index;
	}

	private addPartial({ comparableFields, parseDate, partial }: Index, record: IDataObject): void {
		const readable = comparableFields.filter((field) => !isUnreadable(record, field, parseDate));
		// Without a readable field, the booking would match every row.
		if (readable.length === 0) return;
		const key = recordKey(record, readable, parseDate);
		// An empty value never equals the value of a row.
		if (key === undefined) return;
		const fresh: PartialIndex = { readable, byKey: new MatchIndex() };
		const group = partial.get(readable.join()) ?? fresh;
		group.byKey.add(key, record);
		partial.set(readable.join(), group);
	}
}
