import type { IDataObject, INodeProperties } from 'n8n-workflow';

import { statusOptions } from '../../methods/statusOptions';
import type { ParseResult } from '../../parse/issue';
import { formatValue, invalid, ok, unwrap } from '../../parse/issue';
import { parseDate } from '../../parse/dates';
import { parseInstant } from '../../parse/instants';
import { asText, isEmpty } from '../../utils/text';
import { BOOKING_STATUS_LABELS, statusCode } from '../../api/status';
import { ServiceError } from '../../api/errors';
import { identifierOf } from '../../api/identifiers';
import { parseRecordDate } from '../../parse/recordDate';

type Test = (booking: IDataObject) => boolean;

function parseStatus(value: unknown): ParseResult<number> {
	const code = statusCode(value);
	if (Number.isInteger(code)) return ok(Number(code));
	const labels = [...BOOKING_STATUS_LABELS].map(([number, label]) => `${number} ${label}`);
	return invalid('is not a status', `choose among ${labels.join(', ')}`);
}

/** Filters of Booking > Get Many. The service has no filters, so the node applies them to what it has read. */
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

/** @throws InvalidInputError for a word that is no status; a number may be one that the interface does not list */
function statusTest(status: unknown): Test {
	const wanted: unknown[] = Array.isArray(status) ? status : [status];
	const codes = new Set(wanted.map((word) => String(unwrap(parseStatus(word), 'Status', word))));
	return (booking) => codes.has(String(statusCode(booking.bookingStatus)));
}

/**
 * Parses a date field of a booking; undefined if it has no date.
 *
 * @throws ServiceError (`unreadable`) if the date cannot be parsed, since the booking may belong to the result
 */
function dateIn<T>(
	booking: IDataObject,
	field: 'serviceDate' | 'updatedAt',
	parse: (value: unknown) => ParseResult<T>,
): T | undefined {
	const value = booking[field];
	const date = parse(value);
	if (date.ok) return date.value;
	// A value without digits, such as "soon", is not a date; one with digits may be a date in an unknown format.
	if (isEmpty(value) || !/\d/.test(asText(value))) return undefined;
	throw new ServiceError(
		'unreadable',
		`The ${field} ${formatValue(value)} of booking ${asText(identifierOf(booking, 'booking'))} cannot be read`,
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
 * The test that a booking has to pass. A booking without a date does not pass a filter on that date; if its date
 * cannot be parsed, the test throws a ServiceError. An `updatedAt` without an offset is read as UTC, since the
 * interface does not show its format.
 *
 * @returns undefined if no filter is set
 * @throws InvalidInputError if the value of a filter is invalid
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
