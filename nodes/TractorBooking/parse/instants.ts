import { ok, invalid, type ParseResult } from './issue';
import { cleanText } from '../utils/text';

const notATime = () =>
	invalid(
		'is not a date and time',
		'write it as 2026-12-31T08:00:00, with an offset where it matters',
	);

/** How far the clocks of a timezone are ahead of UTC at an instant, in milliseconds. */
function offsetMs(timezone: string, instantMs: number): number {
	const clock = new Intl.DateTimeFormat('sv-SE', {
		timeZone: timezone,
		dateStyle: 'short',
		timeStyle: 'medium',
	}).format(instantMs);
	return Date.parse(`${clock.replace(' ', 'T')}Z`) - Math.floor(instantMs / 1_000) * 1_000;
}

/** The instant at which the clocks of a timezone show a time that was written without an offset. */
function fromClock(clockMs: number, timezone: string): number {
	const guess = clockMs - offsetMs(timezone, clockMs);
	// The offset at the guess may differ where the clocks were changed in between.
	return clockMs - offsetMs(timezone, guess);
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

/** `Wed, 25 Nov 2026 10:00:00 GMT`, as in the headers of HTTP. */
const HTTP_TIME =
	/^(?:[a-z]{3}, )?\d{1,2} [a-z]{3} \d{4} \d{2}:\d{2}(?::\d{2})? (?:GMT|UTC|[+-]\d{4})$/i;

function finiteInstant(ms: number | undefined): ParseResult<number> {
	return ms !== undefined && Number.isFinite(ms) ? ok(ms) : notATime();
}

/**
 * Reads an instant as milliseconds since 1970: ISO text, text as in the headers of HTTP, a DateTime or Date
 * object, or a number of seconds or milliseconds since 1970.
 *
 * @param timezone IANA name; the timezone of a text that carries no offset
 */
export function parseInstant(value: unknown, timezone: string): ParseResult<number> {
	if (typeof value === 'number' && Number.isFinite(value)) {
		// Seconds reach 10^11 in the year 5138, milliseconds passed it in 1973.
		return ok(value < 1e11 ? value * 1_000 : value);
	}
	if (typeof value === 'object' && value !== null) {
		return finiteInstant(epochMs(value));
	}
	if (typeof value !== 'string') return notATime();
	const text = cleanText(value);
	if (/^\d{10}(\d{3})?$/.test(text)) return parseInstant(Number(text), timezone);
	if (HTTP_TIME.test(text)) return finiteInstant(Date.parse(text));
	const [, day, time = '00:00', offset] = ISO_TIME.exec(text) ?? [];
	const zone = offset === undefined || /[a-z]/i.test(offset) ? 'Z' : offset;
	const clockMs = Date.parse(`${day}T${time}${zone}`);
	if (day === undefined || Number.isNaN(clockMs)) return notATime();
	return ok(offset === undefined ? fromClock(clockMs, timezone) : clockMs);
}
