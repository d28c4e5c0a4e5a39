import type { IDataObject, INodeProperties } from 'n8n-workflow';

import { statusOptions } from '../../editor/statusOptions';
import { readDate } from '../../input/dates';
import { readInstant } from '../../input/instants';
import { isEmpty } from '../../input/text';
import { statusCode } from '../../service/bookingStatus';
import { accepted } from '../values';

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

function serviceDateTest(
	label: string,
	limit: unknown,
	timezone: string,
	fits: (day: string, limit: string) => boolean,
): Test {
	const day = accepted(readDate(limit, { timezone }), label, limit);
	return (booking) => {
		const date = readDate(booking.serviceDate, { timezone });
		return date.ok && fits(date.value, day);
	};
}

function updatedTest(since: unknown, timezone: string): Test {
	const sinceMs = accepted(readInstant(since, timezone), 'Updated Since', since);
	return (booking) => {
		const updated = readInstant(booking.updatedAt, 'UTC');
		return updated.ok && updated.value >= sinceMs;
	};
}

/**
 * The test that a booking has to pass. A booking whose date is missing or unreadable does not pass a filter
 * on that date. `updatedAt` without an offset is taken for UTC, since its format is not shown.
 *
 * @returns undefined where nothing is filtered
 * @throws RefusedInput when a filter's own value cannot be read
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
