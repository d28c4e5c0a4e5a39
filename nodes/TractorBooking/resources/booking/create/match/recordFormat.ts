import type { IDataObject } from 'n8n-workflow';

import { ServiceError } from '../../../../api/errors';
import { labelsOf } from '../fields';
import {
	dateOrderOf,
	otherDayOf,
	recordDateParser,
	sharedTimeOf,
} from '../../../../parse/recordDate';
import { isEmpty } from '../../../../utils/text';
import type { Job, MatchField } from './likeness';
import { jobOf, MATCH_FIELDS } from './likeness';

/** Different service dates from which it is judged how the service writes them. */
const MAX_DATES = 1_000;

/** Fields that are compared beside the service date. */
const FIELDS = MATCH_FIELDS.filter((field) => field !== 'serviceDate');

/** Match fields that the interface does not document for a booking record. */
const MAY_BE_MISSING: ReadonlySet<MatchField> = new Set(['landArea', 'serviceType']);

/** How a service writes its booking records, as far as those that were read show it. */
export class RecordFormat {
	private readonly dates = new Set<unknown>();

	/** Fields, other than the service date, of which a value was readable. */
	private readonly readable = new Set<MatchField>();

	/** Whether any record came in the list: until then, bookings show no more than what this process sent. */
	isListed = false;

	learn(record: IDataObject): void {
		const { serviceDate } = record;
		if (!isEmpty(serviceDate) && this.dates.size < MAX_DATES) this.dates.add(serviceDate);
		if (FIELDS.every((field) => this.readable.has(field) || isEmpty(record[field]))) return;
		const job = jobOf(record, {});
		for (const field of FIELDS) if (job[field] !== undefined) this.readable.add(field);
	}

	/** Reads records in a timezone, an IANA name, in which a service date that is an instant becomes a day. */
	in(timezone: string): RecordReader {
		const { dates, readable, isListed } = this;
		const order = { timezone, dateOrder: dateOrderOf(dates, timezone) };
		const rules = { ...order, sharedTime: sharedTimeOf(dates, order) };
		const dateOf = recordDateParser(rules);
		const comparable = new Set(isListed ? readable : MATCH_FIELDS);
		if ([...dates].some((value) => dateOf(value).ok)) comparable.add('serviceDate');
		return {
			comparable,
			read: (record) => {
				const { serviceDate } = record;
				const date = dateOf(serviceDate);
				const otherDay = otherDayOf(serviceDate, rules);
				return jobOf(record, date.ok ? { serviceDate: date.value, otherDay } : {});
			},
		};
	}
}

/** Reads the records of a service. */
export interface RecordReader {
	/** The fields that the service returns in a form in which rows can be compared; all before it returns any. */
	comparable: ReadonlySet<MatchField>;
	/** What a record is compared by. */
	read: (record: IDataObject) => Job;
}

/**
 * Checks that rows can be compared: a field that the service never returns makes a doubt; if the interface documents it
 * ("Booking record"), or there is no other, an error.
 *
 * @throws ServiceError (`unreadable`) if the bookings cannot be compared in the match fields
 */
export function checkComparable(
	{ comparable }: RecordReader,
	matchFields: readonly MatchField[],
): void {
	const lacking = matchFields.filter((field) => !comparable.has(field));
	const missing = lacking.filter((field) => !MAY_BE_MISSING.has(field));
	if (missing.length === 0 && lacking.length < matchFields.length) return;
	const fields = labelsOf(missing.length > 0 ? missing : matchFields);
	throw new ServiceError(
		'unreadable',
		`The service returns its bookings without a readable ${fields}`,
		{
			description:
				'Rows that are booked already cannot be recognised. Choose other Match Fields, or run only rows that are not booked yet, with If Already Booked set to Create Anyway.',
		},
	);
}
