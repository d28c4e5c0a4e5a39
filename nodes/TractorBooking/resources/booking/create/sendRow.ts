import { ServiceError } from '../../../api/errors';
import type { BookingRequest } from '../../../api/types';
import type { ChosenTractor, ReadyRow } from './chooseTractors';
import { DOUBT_MS } from './knownBookings';
import type { SheetRow } from './rows';
import type { SendResult, Sending } from './sendBooking';
import { sendBooking } from './sendBooking';

/** A row that was sent, or that was left out because of what became of those before it. */
export interface SentRow extends SheetRow {
	kind: 'sent';
	request: BookingRequest;
	tractor?: ChosenTractor;
	sent: SendResult;
	/** Whether something was thrown that is no answer of the service. */
	isUnexpected?: boolean;
}

/** Sends one row; never throws, so that no row takes the results of those before it away. */
export async function sendRow(row: ReadyRow, sending: Sending): Promise<SentRow> {
	try {
		return { ...row, kind: 'sent', sent: await sendBooking(sending) };
	} catch (thrown) {
		const text = thrown instanceof Error ? thrown.message : String(thrown);
		const failure = new ServiceError(
			'unreadable',
			`It is unknown whether this row was booked: ${text}`,
			{ description: 'Look the booking up with Booking > Get Many before you run this row again.' },
		);
		return { ...row, kind: 'sent', sent: { result: 'unknown', failure }, isUnexpected: true };
	}
}

/** The row as one that was sent before, and may be booked. @param timezone IANA name */
export function inDoubt(row: ReadyRow, sentAt: number, timezone: string): SentRow {
	const clock = new Intl.DateTimeFormat('en-GB', { timeStyle: 'short', timeZone: timezone });
	const failure = new ServiceError(
		'interrupted',
		`It was sent at ${clock.format(sentAt)}, and it is still unknown whether it was booked`,
		{
			description: `Run the row again after ${clock.format(sentAt + DOUBT_MS)}: by then the list of bookings shows it, or it was not booked.`,
		},
	);
	return { ...row, kind: 'sent', sent: { result: 'unknown', failure } };
}

/** The row as one that is left out. */
export function leftOut(row: ReadyRow, why: string): SentRow {
	const failure = new ServiceError('stopped', `Not sent, because ${why}`, {
		description: 'Run the rows again once this is fixed.',
	});
	return { ...row, kind: 'sent', sent: { result: 'not sent', failure } };
}

/** Refusals in the same words after which a service that has accepted no row is not asked again. */
const MAX_EQUAL_REFUSALS = 5;

/** Why the rows after these are to be left out; undefined if they are to be sent. */
export function reasonToEnd(rows: readonly SentRow[]): string | undefined {
	const last = rows.at(-1);
	if (!last || last.sent.result === 'created') return undefined;
	const { sheetRow, sent, isUnexpected } = last;
	const { kind, message } = sent.failure;
	if (isUnexpected) return `of an unexpected failure at row ${sheetRow}`;
	if (sent.result !== 'failed') return undefined;
	if (kind === 'notAllowed') return `the service refused row ${sheetRow}: ${message}`;

	const isEqual = (row: SentRow) =>
		row.sent.result === 'failed' &&
		!row.sent.failure.outcomeUnknown &&
		row.sent.failure.message === message;
	const refusals = rows.slice(-MAX_EQUAL_REFUSALS);
	if (refusals.length < MAX_EQUAL_REFUSALS || !refusals.every(isEqual)) return undefined;
	if (rows.some((row) => row.sent.result === 'created')) return undefined;
	return `the service refused the ${MAX_EQUAL_REFUSALS} rows before in the same words: ${message}`;
}
