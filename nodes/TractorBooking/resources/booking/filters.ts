import type { IDataObject, INodeProperties } from 'n8n-workflow';

import { statusOptions } from '../../methods/statusOptions';
import type { ParseResult } from '../../parse/issue';
import { invalid, ok, unwrap } from '../../parse/issue';
import { parseDate } from '../../parse/dates';
import { parseInstant } from '../../parse/instants';
import { field } from '../../methods/fields';
import { isEmpty } from '../../utils/text';
import { BOOKING_STATUS_LABELS, statusCode } from '../../api/status';
import { parseRecordDate, recordDays } from '../../parse/recordDate';
import { reportUnreadable } from '../unreadable';

type Test = (booking: IDataObject) => boolean;

function parseStatus(value: unknown): ParseResult<number> {
	const code = statusCode(value);
	if (Number.isInteger(code)) return ok(Number(code));
	const labels = [...BOOKING_STATUS_LABELS].map(([number, label]) => `${number} ${label}`);
	return invalid('is not a status', `choose among ${labels.join(', ')}`);
}

const dateFilter = (displayName: string, name: string, description: string, dateOnly: boolean) =>
	field(displayName, name, 'dateTime', '', description, { typeOptions: { dateOnly } });

/** Filters of Booking > Get Many. The service has no filters, so the node applies them to what it has read. */
export const filtersField: INodeProperties = {
	displayName: 'Filters',
	name: 'filters',
	type: 'collection',
	placeholder: 'Add filter',
	default: {},
	options: [
		dateFilter(
			'Service Date From',
			'serviceDateFrom',
			'Only bookings to be served on this day or later',
			true,
		),
		dateFilter(
			'Service Date To',
			'serviceDateTo',
			'Only bookings to be served on this day or earlier',
			true,
		),
		field('Status', 'status', 'multiOptions', [], 'Only bookings in one of these statuses', {
			options: statusOptions,
		}),
		dateFilter(
			'Updated Since',
			'updatedSince',
			'Only bookings that were updated at this time or later',
			false,
		),
	],
};

/** @throws InvalidInputError for a word that is not a status; a number may be one that the interface does not list */
function statusTest(status: unknown): Test {
	const wanted: unknown[] = Array.isArray(status) ? status : [status];
	const codes = new Set(wanted.map((word) => String(unwrap(parseStatus(word), 'Status', word))));
	return (booking) => codes.has(String(statusCode(booking.bookingStatus)));
}

/** A date field of a booking that is filtered on. */
class DateField<T> {
	/** Bookings that are left out because they have no readable date. */
	private readonly unreadable: IDataObject[] = [];

	private isReadable = false;

	constructor(
		private readonly name: 'serviceDate' | 'updatedAt',
		private readonly parse: (value: unknown) => ParseResult<T>,
	) {}

	/** Takes in any booking, to see whether the service gives readable dates at all. */
	learn(booking: IDataObject): void {
		this.isReadable ||= this.parse(booking[this.name]).ok;
	}

	/**
	 * Reports what was left out, once all bookings were tested.
	 *
	 * @throws ServiceError (`unreadable`) if no booking has a readable date
	 */
	report(warn: (text: string) => void): void {
		reportUnreadable('bookings', this.name, this.unreadable, !this.isReadable, warn);
	}

	/** The test of the date; a booking without a readable one does not pass. */
	test(fits: (date: T) => boolean): Test {
		return (booking) => {
			const date = this.parse(booking[this.name]);
			if (!date.ok) this.unreadable.push(booking);
			return date.ok && fits(date.value);
		};
	}
}

/**
 * The test that a booking has to pass, and the dates that it compares, which report at the end what was left out because it lacks
 * them. An `updatedAt` without an offset is read as UTC, since the interface does not show its format.
 *
 * @returns without `isWanted` if no filter is set
 * @throws InvalidInputError if the value of a filter is invalid
 */
export function bookingFilter(
	filters: IDataObject,
	timezone: string,
): { isWanted?: Test; dates: Array<Pick<DateField<unknown>, 'report'>> } {
	const { status, serviceDateFrom, serviceDateTo, updatedSince } = filters;
	// A date that may be of two days passes with either.
	const served = new DateField('serviceDate', (value): ParseResult<string[]> => {
		const day = parseRecordDate(value, { timezone });
		const days = day.ok ? [day.value] : recordDays(value, timezone);
		return day.ok || days.length > 0 ? ok(days) : day;
	});
	const updated = new DateField('updatedAt', (value) => parseInstant(value, 'UTC'));
	const dates = [served, updated];
	const tests: Test[] = [];
	const dayOf = (label: string, value: unknown) =>
		unwrap(parseDate(value, { timezone }), label, value);
	if (!isEmpty(status) && !(Array.isArray(status) && status.length === 0))
		tests.push(statusTest(status));
	if (!isEmpty(serviceDateFrom)) {
		const from = dayOf('Service Date From', serviceDateFrom);
		tests.push(served.test((days) => days.some((day) => day >= from)));
	}
	if (!isEmpty(serviceDateTo)) {
		const to = dayOf('Service Date To', serviceDateTo);
		tests.push(served.test((days) => days.some((day) => day <= to)));
	}
	if (!isEmpty(updatedSince)) {
		const since = unwrap(parseInstant(updatedSince, timezone), 'Updated Since', updatedSince);
		tests.push(updated.test((instant) => instant >= since));
	}
	if (tests.length === 0) return { dates };
	const isWanted = (booking: IDataObject) => {
		for (const date of dates) date.learn(booking);
		return tests.every((test) => test(booking));
	};
	return { isWanted, dates };
}
