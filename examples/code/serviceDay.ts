import { asText } from '../../nodes/TractorBooking/utils/text';

/**
 * The day of a booking as the node reads it: a time in UTC is its day in the workflow's timezone, midnight the day that
 * begins. What is no date stays as it is.
 */
export function serviceDay(value: unknown): string {
	const text = asText(value).replace(' ', 'T');
	const isMoment = /T(?!00:00).*(?:Z|\+00:00)$/.test(text);
	return DateTime.fromISO(text, { setZone: !isMoment }).toISODate() ?? asText(value);
}
