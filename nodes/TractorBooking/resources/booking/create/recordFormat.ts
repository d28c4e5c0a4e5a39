import type { IDataObject } from 'n8n-workflow';

import { ServiceError } from '../../../api/errors';
import type { DateRules } from '../../../parse/dates';
import type { DateOrder } from '../../../parse/dateText';
import { labelsOf } from '../../../parse/labels';
import type { RecordDateRules } from '../../../parse/recordDate';
import { areMidnights, otherDayOf, parseRecordDate } from '../../../parse/recordDate';
import { isEmpty } from '../../../utils/text';
import type { Job, MatchField } from './likeness';
import { jobOf, MATCH_FIELDS } from './likeness';

/** Different service dates from which it is judged how the service writes them. */
const MAX_DATES = 5_000;

/** Match fields that the interface does not document for a booking record. */
const MAY_BE_MISSING: ReadonlySet<MatchField> = new Set(['landArea', 'serviceType']);

const ORDERS: readonly DateOrder[] = ['dayFirst', 'monthFirst'];

/** How a service writes its booking records, as far as those that were read show it. */
export class RecordFormat {
	private readonly dates = new Set<unknown>();

	/** Fields, other than the service date, of which a value was readable. */
	private readonly readable = new Set<MatchField>();

	private isKnown = false;

	private reader?: RecordReader;

	learn(record: IDataObject): void {
		const { serviceDate } = record;
		const known = this.dates.size + this.readable.size;
		if (!isEmpty(serviceDate) && this.dates.size < MAX_DATES) this.dates.add(serviceDate);
		const fresh = MATCH_FIELDS.filter(
			(field) => !this.readable.has(field) && !isEmpty(record[field]),
		);
		const job = fresh.length > 0 ? jobOf(record, {}) : {};
		// The name of a service cannot be compared with the number of a row.
		for (const field of fresh)
			if (job[field] !== undefined && (field !== 'serviceType' || typeof job[field] === 'number'))
				this.readable.add(field);
		const isSame = this.isKnown && this.dates.size + this.readable.size === known;
		if (!isSame) this.reader = undefined;
		this.isKnown = true;
	}

	/** Reads records in a timezone, an IANA name, in which a service date that is an instant becomes a day. */
	in(timezone: string): RecordReader {
		if (this.reader?.timezone !== timezone)
			this.reader = new RecordReader(timezone, this.dates, this.readable, this.isKnown);
		return this.reader;
	}
}

/** Reads the records of a service. */
export class RecordReader {
	private readonly dayOf: (value: unknown) => Pick<Job, 'serviceDate' | 'otherDay'>;

	private readonly comparable: Set<MatchField>;

	constructor(
		readonly timezone: string,
		dates: ReadonlySet<unknown>,
		readable: ReadonlySet<MatchField>,
		private readonly isKnown: boolean,
	) {
		const isRead = (value: unknown, dateOrder: DateOrder) =>
			parseRecordDate(value, { timezone, dateOrder }).ok;
		const readAll = (dateOrder: DateOrder) => [...dates].every((value) => isRead(value, dateOrder));
		// If some dates are ambiguous (03/04/2026), the order is the one with which all of them can be read.
		const orders = readAll('refuse') ? [] : ORDERS.filter(readAll);
		const [order = 'refuse'] = orders.length === 1 ? orders : [];
		const rules: DateRules = { timezone, dateOrder: order };
		const allRules: RecordDateRules = { ...rules, areMidnights: areMidnights(dates, rules) };
		// Many bookings share a day.
		const days = new Map<unknown, Pick<Job, 'serviceDate' | 'otherDay'>>();
		this.dayOf = (value) => {
			let day = days.get(value);
			if (day) return day;
			const date = parseRecordDate(value, allRules);
			day = date.ok ? { serviceDate: date.value, otherDay: otherDayOf(value, allRules) } : {};
			days.set(value, day);
			return day;
		};
		this.comparable = new Set(readable);
		if ([...dates].some((value) => this.dayOf(value).serviceDate))
			this.comparable.add('serviceDate');
	}

	/** What a record is compared by. */
	read(record: IDataObject): Job {
		return jobOf(record, this.dayOf(record.serviceDate));
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
					'Rows that are booked already cannot be recognised. Choose other match fields, or set If Already Booked to Create Anyway.',
			},
		);
	}
}
