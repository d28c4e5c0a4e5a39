import type { IDataObject } from 'n8n-workflow';

import { ServiceError } from '../../../api/errors';
import { labelsOf } from '../../../parse/labels';
import type { RecordDateRules } from '../../../parse/recordDate';
import { dateOrderOf, midnightOf, otherDayOf, recordDateParser } from '../../../parse/recordDate';
import { isEmpty } from '../../../utils/text';
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

	private isKnown = false;

	learn(record: IDataObject): void {
		this.isKnown = true;
		const { serviceDate } = record;
		if (!isEmpty(serviceDate) && this.dates.size < MAX_DATES) this.dates.add(serviceDate);
		if (FIELDS.every((field) => this.readable.has(field) || isEmpty(record[field]))) return;
		const job = jobOf(record, {});
		// The name of a service cannot be compared with the number of a row.
		if (typeof job.serviceType === 'string') delete job.serviceType;
		for (const field of FIELDS) if (job[field] !== undefined) this.readable.add(field);
	}

	/** Reads records in a timezone, an IANA name, in which a service date that is an instant becomes a day. */
	in(timezone: string): RecordReader {
		return new RecordReader(timezone, this.dates, this.readable, this.isKnown);
	}
}

/** Reads the records of a service. */
export class RecordReader {
	private readonly rules: RecordDateRules;

	private readonly dateOf: ReturnType<typeof recordDateParser>;

	private readonly comparable: Set<MatchField>;

	constructor(
		timezone: string,
		dates: ReadonlySet<unknown>,
		readable: ReadonlySet<MatchField>,
		private readonly isKnown: boolean,
	) {
		const rules = { timezone, dateOrder: dateOrderOf(dates, timezone) };
		this.rules = { ...rules, midnight: midnightOf(dates, rules) };
		this.dateOf = recordDateParser(this.rules);
		this.comparable = new Set(readable);
		if ([...dates].some((value) => this.dateOf(value).ok)) this.comparable.add('serviceDate');
	}

	/** What a record is compared by. */
	read(record: IDataObject): Job {
		const { serviceDate } = record;
		const date = this.dateOf(serviceDate);
		if (!date.ok) return jobOf(record, {});
		return jobOf(record, {
			serviceDate: date.value,
			otherDay: otherDayOf(serviceDate, this.rules),
		});
	}

	/** Whether the service returns a field in a form in which rows can be compared. */
	compares(field: MatchField): boolean {
		return this.comparable.has(field);
	}

	/**
	 * Checks that rows can be compared: a field that the service never returns is ignored, unless the interface documents
	 * it ("Booking record"), or there is no other.
	 *
	 * @throws ServiceError (`unreadable`) if the bookings cannot be compared in the match fields
	 */
	check(matchFields: readonly MatchField[]): void {
		const lacking = matchFields.filter((field) => !this.compares(field));
		const missing = lacking.filter((field) => !MAY_BE_MISSING.has(field));
		if (!this.isKnown || (missing.length === 0 && lacking.length < matchFields.length)) return;
		const fields = labelsOf(missing.length > 0 ? missing : matchFields);
		throw new ServiceError(
			'unreadable',
			`The service returns its bookings without a readable ${fields}`,
			{
				description:
					'Rows that are booked already cannot be recognised. Choose other Match Fields, or set If Already Booked to Create Anyway.',
			},
		);
	}
}
