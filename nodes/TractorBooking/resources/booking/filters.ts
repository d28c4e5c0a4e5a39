import type { IDataObject } from 'n8n-workflow';

import {
	collection,
	field,
	phoneCountryFor,
	statusesOf,
	statusOptions,
} from '../../methods/fields';
import { formatValue, ok, unwrap, type ParseResult } from '../../parse/issue';
import { invalid } from '../../parse/sentences';
import { dateParser, parseInstant } from '../../parse/dates';
import { parseIds } from '../../parse/ids';
import {
	comparablePhone,
	isSamePhone,
	parseFarmerPhone,
	parsePhoneCountry,
} from '../../parse/phones';
import { comparableName } from '../../parse/text';
import { asText, isEmpty, wordsOf } from '../../utils/text';
import { statusCode, type RECORD_FIELDS } from '../../api/status';
import { ServiceError } from '../../api/errors';
import { toId } from '../../api/records';

type Test = (booking: IDataObject) => boolean;

const valueIn = <T>(result: ParseResult<T>): T | undefined =>
	result.ok ? result.value : undefined;

const parseWords = (value: unknown): ParseResult<string[]> => {
	const words = wordsOf(asText(value));
	return words.length > 0 ? ok(words) : invalid('partOfName');
};

/** The tractor of a booking: empty if it has none. */
const tractorIn = (value: unknown) =>
	toId(value) ?? (value === null || value === '' ? '' : undefined);

/** Without an offset, it is UTC. */
const updateIn = (value: unknown) => valueIn(parseInstant(value, 'UTC'));

const dateFilter = (displayName: string, name: string, description: string, dateOnly: boolean) =>
	field(displayName, name, 'dateTime', '', description, { typeOptions: { dateOnly } });

/** Filters of Booking > Get Many. The service has no filters, so the node applies them to what it has read. */
export const filtersField = collection('Filters', 'filters', 'Add filter', [
	field('Farmer Name', 'farmerName', 'string', '', 'Some or all words of it, in any order', {
		placeholder: 'e.g. Amina Bello',
	}),
	field('Farmer Phone', 'farmerPhone', 'string', '', 'The number, however it is written', {
		placeholder: 'e.g. +2348031234567',
	}),
	phoneCountryFor('Country of Farmer Phone, if it is written without a country code'),
	dateFilter('Service Date From', 'serviceDateFrom', 'Only bookings for this day or later', true),
	dateFilter('Service Date To', 'serviceDateTo', 'Only bookings for this day or earlier', true),
	field('Status', 'status', 'multiOptions', [], 'Only bookings in one of these statuses', {
		options: statusOptions,
	}),
	field('Tractor ID', 'tractorId', 'string', '', 'The paired tractor, or several with commas', {
		placeholder: 'e.g. 1042, 1057',
	}),
	dateFilter('Updated Since', 'updatedSince', 'Only bookings updated at this time or later', false),
]);

/**
 * The test that a booking has to pass. A booking with a field that cannot be read does not pass.
 *
 * @returns without `isWanted` if no filter is set; `report` warns of what was left out because it cannot be read, and
 * throws a ServiceError (`unreadable`) if a field of no booking can be
 * @throws InvalidInputError if the value of a filter is invalid; a status may be a number that the interface does not list
 */
export function bookingFilter(
	filters: IDataObject,
	timezone: string,
	warn: (text: string) => void,
): { isWanted?: Test; report: () => void } {
	const { status, serviceDateFrom, serviceDateTo, updatedSince } = filters;
	let tested = 0;
	const tests: Test[] = [];
	const unreadable = new Map<string, IDataObject[]>();
	const addTest = <T>(
		field: (typeof RECORD_FIELDS)[number],
		read: (value: unknown) => T | undefined,
		fits: (value: T) => boolean,
	) => {
		const odd: IDataObject[] = [];
		unreadable.set(field, odd);
		tests.push((booking) => {
			const value = read(booking[field]);
			if (value === undefined) odd.push(booking);
			return value !== undefined && fits(value);
		});
	};
	/** The value of a filter; undefined if it is not set. */
	const given = <T>(label: string, value: unknown, parse: (value: unknown) => ParseResult<T>) =>
		isEmpty(value) ? undefined : unwrap(parse(value), label, value);
	const parseDay = dateParser({ timezone });
	const codes = statusesOf(status, 'Status');
	if (codes.length > 0) addTest('bookingStatus', statusCode, (code) => codes.includes(code));
	const from = given('Service Date From', serviceDateFrom, parseDay);
	const to = given('Service Date To', serviceDateTo, parseDay);
	if (from ?? to) {
		const dayOf = (value: unknown) => valueIn(parseDay(value));
		addTest('serviceDate', dayOf, (day) => day >= (from ?? day) && day <= (to ?? day));
	}
	const since = given('Updated Since', updatedSince, (time) => parseInstant(time, timezone));
	if (since !== undefined) addTest('updatedAt', updateIn, (instant) => instant >= since);
	// An expression that found no tractor or farmer must not list the bookings of all.
	if ('tractorId' in filters) {
		const ids = unwrap(parseIds(filters.tractorId), 'Tractor ID', filters.tractorId).map(toId);
		addTest('tractorPairedTo', tractorIn, (key) => ids.includes(key));
	}
	if ('farmerName' in filters) {
		const words = unwrap(parseWords(filters.farmerName), 'Farmer Name', filters.farmerName);
		addTest('farmerName', comparableName, (known) => {
			const ofBooking = new Set(wordsOf(known));
			return words.every((word) => ofBooking.has(word));
		});
	}
	if ('farmerPhone' in filters) {
		const { farmerPhone, phoneCountry } = filters;
		const country = given('Phone Country', phoneCountry, parsePhoneCountry);
		const phone = unwrap(parseFarmerPhone(farmerPhone, country), 'Farmer Phone', farmerPhone);
		addTest('farmerPhone', comparablePhone, (known) => isSamePhone(phone, known));
	}
	const isWanted = (booking: IDataObject) => {
		tested += 1;
		// All of them, so that each sees every booking.
		return tests.map((test) => test(booking)).every(Boolean);
	};
	const report = () => {
		for (const [field, odd] of unreadable) {
			const [example] = odd;
			if (!example) continue;
			// n8n logs the text, and its log has no names or phones.
			const value = field.startsWith('farmer')
				? ''
				: `, such as ${formatValue(example[field] ?? null)}`;
			const text = `The ${field} of ${odd.length} bookings cannot be read${value}`;
			const description = 'The filter cannot be applied. Remove it, and filter after this node.';
			if (odd.length === tested) throw new ServiceError('unreadable', text, { description });
			warn(`${text}: they are left out.`);
		}
	};
	return { isWanted: tests.length > 0 ? isWanted : undefined, report };
}
