import { START } from './polling.cts';

const MINUTE_MS = 60_000;

function instant(minutes: number): Date {
	return new Date(START + minutes * MINUTE_MS);
}

/** An instant in ISO 8601, in minutes after the first poll. */
const iso = (minutes: number): string => instant(minutes).toISOString();

/** How a service may write the instant at which a booking was made, in minutes after the first poll. */
export const FORMS: Array<[string, (minutes: number) => unknown]> = [
	['ISO, UTC', iso],
	['ISO, offset', (minutes) => iso(minutes + 180).replace('Z', '+03:00')],
	['ISO, no offset', (minutes) => iso(minutes + 60).slice(0, 19)],
	['seconds', (minutes) => instant(minutes).getTime() / 1_000],
	['milliseconds', (minutes) => instant(minutes).getTime()],
	['HTTP', (minutes) => instant(minutes).toUTCString()],
	['day', (minutes) => iso(minutes).slice(0, 10)],
	['local, as if it were UTC', (minutes) => iso(minutes + 180)],
	['unreadable', (minutes) => `${minutes} minutes`],
	['none', () => undefined],
];
