import { ok, invalid, type ParseResult } from './issue';
import { memoize } from '../utils/memoize';
import { cleanText } from '../utils/text';

/** A day in milliseconds. */
export const DAY_MS = 86_400_000;

/** The clock of a timezone, made once: making it takes fifty times as long as reading it. */
const clockIn = memoize(
	(timeZone: string) =>
		new Intl.DateTimeFormat('sv-SE', { timeZone, dateStyle: 'short', timeStyle: 'medium' }),
);

/** Offset of a timezone from UTC at an instant, in milliseconds; positive east of Greenwich. */
export function offsetMs(timezone: string, instantMs: number): number {
	const clock = clockIn(timezone).format(instantMs);
	return Date.parse(`${clock.replace(' ', 'T')}Z`) - Math.floor(instantMs / 1_000) * 1_000;
}

/** The time of a Date; undefined for other objects. `instanceof` misses Dates of n8n's expression sandbox. */
export function dateMs(value: object): number | undefined {
	try {
		return Date.prototype.getTime.call(value);
	} catch {
		return undefined;
	}
}

/** The time of a Date or of luxon's DateTime, recognised by its method; undefined for other objects. */
function epochMs(value: object): number | undefined {
	try {
		const toMillis: unknown = Reflect.get(value, 'toMillis');
		return typeof toMillis === 'function' ? Number(toMillis.call(value)) : dateMs(value);
	} catch {
		return undefined;
	}
}

const ISO_TIME =
	/^(\d{4}-\d{2}-\d{2})(?:[T ](\d{2}:\d{2}(?::\d{2}(?:\.\d+)?)?))?\s*(Z|UTC|GMT|[+-]\d{2}:?\d{2})?$/i;

/** `Wed, 25 Nov 2026 10:00:00 GMT`, as in HTTP headers. */
const HTTP_TIME =
	/^(?:[a-z]{3}, )?\d{1,2} [a-z]{3} \d{4} \d{2}:\d{2}(?::\d{2})? (?:GMT|UTC|[+-]\d{4})$/i;

/**
 * Parses an instant, as milliseconds since 1970: ISO text, text as in HTTP headers, a DateTime or Date, seconds or milliseconds since 1970.
 *
 * @param timezone IANA name; used if a text has no offset
 */
export function parseInstant(value: unknown, timezone: string): ParseResult<number> {
	const ms = instantMs(value, timezone);
	return ms !== undefined && Number.isFinite(ms)
		? ok(ms)
		: invalid('is not a date and time', 'write it as 2026-12-31T08:00:00, or with an offset');
}

function instantMs(value: unknown, timezone: string): number | undefined {
	// 10^11 seconds is the year 5138, 10^11 milliseconds is 1973.
	if (typeof value === 'number') return value < 1e11 ? value * 1_000 : value;
	if (typeof value === 'object' && value !== null) return epochMs(value);
	if (typeof value !== 'string') return undefined;
	const text = cleanText(value);
	if (/^\d{10}(?:\d{3})?$/.test(text)) return instantMs(Number(text), timezone);
	if (HTTP_TIME.test(text)) return Date.parse(text);
	const [, day, time = '00:00', offset] = ISO_TIME.exec(text) ?? [];
	const zone = offset === undefined || /[a-z]/i.test(offset) ? 'Z' : offset;
	const clockMs = day === undefined ? NaN : Date.parse(`${day}T${time}${zone}`);
	if (offset !== undefined || !Number.isFinite(clockMs)) return clockMs;
	// The offset at the guess differs if the clocks changed in between.
	const guess = clockMs - offsetMs(timezone, clockMs);
	return clockMs - offsetMs(timezone, guess);
}
