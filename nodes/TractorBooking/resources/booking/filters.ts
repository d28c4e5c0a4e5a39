import type { IDataObject, INodeProperties } from 'n8n-workflow';

import { statusOptions } from '../../methods/statusOptions';
import type { ParseResult } from '../../parse/issue';
import { unwrap, formatValue } from '../../parse/issue';
import { parseDate } from '../../parse/dates';
import { parseInstant } from '../../parse/instants';
import { asText, isEmpty } from '../../utils/text';
import { statusCode } from '../../api/status';
import { ServiceError } from '../../api/errors';
import { parseRecordDate } from '../../parse/recordDate';

type Test = (booking: IDataObject) => boolean;

/** Filters of Booking > Get Many. The interface documents none, so they are applied to what was read. */
export const filtersField: INodeProperties = {
	displayName: 'Filters',
	name: 'filters',
	type: 'collection',
	placeholder: 'Add filter',
	default: {},
	options: [
		{
			displayName: 'Service Date From',
			name: 'serviceDateFrom',
			type: 'dateTime',
			default: '',
			description: 'Only bookings to be served on this day or later',
		},
		{
			displayName: 'Service Date To',
			name: 'serviceDateTo',
			type: 'dateTime',
			default: '',
			description: 'Only bookings to be served on this day or earlier',
		},
		{
			displayName: 'Status',
			name: 'status',
			type: 'multiOptions',
			options: statusOptions,
			default: [],
			description: 'Only bookings in one of these statuses',
		},
		{
			displayName: 'Updated Since',
			name: 'updatedSince',
			type: 'dateTime',
			default: '',
			description: 'Only bookings that were updated at this time or later',
		},
	],
};

function statusTest(status: unknown): Test {
	const codes = new Set(
		(Array.isArray(status) ? status : [status]).map((code) => String(statusCode(code))),
	);
	return (booking) => codes.has(String(statusCode(booking.bookingStatus)));
}

/**
 * The value of a date field of a booking; undefined where it holds none.
 *
 * @throws ServiceError (`unreadable`) for a date in a form that is not known: it may belong to the result
 */
function dateIn<T>(
	booking: IDataObject,
	field: 'serviceDate' | 'updatedAt',
	parse: (value: unknown) => ParseResult<T>,
): T | undefined {
	const value = booking[field];
	const date = parse(value);
	if (date.ok) return date.value;
	// A word such as "soon" is no date; digits are one that is written in another way.
	if (isEmpty(value) || !/\d/.test(asText(value))) return undefined;
	throw new ServiceError(
		'unreadable',
		`The ${field} ${formatValue(value)} of booking ${asText(booking.bookingID)} cannot be read`,
		{
			description: `The filter cannot be applied to it (the value ${date.problem}). Remove the filter on that date, and filter after this node.`,
		},
	);
}

function serviceDateTest(
	label: string,
	limit: unknown,
	timezone: string,
	fits: (day: string, limit: string) => boolean,
): Test {
	const day = unwrap(parseDate(limit, { timezone }), label, limit);
	return (booking) => {
		const date = dateIn(booking, 'serviceDate', (value) => parseRecordDate(value, { timezone }));
		return date !== undefined && fits(date, day);
	};
}

function updatedTest(since: unknown, timezone: string): Test {
	const sinceMs = unwrap(parseInstant(since, timezone), 'Updated Since', since);
	return (booking) => {
		const updated = dateIn(booking, 'updatedAt', (value) => parseInstant(value, 'UTC'));
		return updated !== undefined && updated >= sinceMs;
	};
}

/**
 * The test that a booking has to pass. A booking without a date does not pass a filter on that date; one whose
 * date cannot be read fails the test with a ServiceError. `updatedAt` without an offset is taken for UTC, since its
 * format is not shown.
 *
 * @returns undefined where nothing is filtered
 * @throws InvalidInputError when a filter's own value cannot be read
 */
export function bookingFilter(filters: IDataObject, timezone: string): Test | undefined {
	const { status, serviceDateFrom, serviceDateTo, updatedSince } = filters;
	const tests: Test[] = [];
	if (!isEmpty(status) && !(Array.isArray(status) && status.length === 0))
		tests.push(statusTest(status));
	if (!isEmpty(serviceDateFrom)) {
		tests.push(
			serviceDateTest('Service Date From', serviceDateFrom, timezone, (day, from) => day >= from),
		);
	}
	if (!isEmpty(serviceDateTo)) {
		tests.push(serviceDateTest('Service Date To', serviceDateTo, timezone, (day, to) => day <= to));
	}
	if (!isEmpty(updatedSince)) tests.push(updatedTest(updatedSince, timezone));
	return tests.length === 0 ? undefined : (booking) => tests.every((test) => test(booking));
}
