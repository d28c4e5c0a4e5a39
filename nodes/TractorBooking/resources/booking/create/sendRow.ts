import type { ServiceClient } from '../../../api/client';
import { ServiceError } from '../../../api/errors';
import type { BookingRequest } from '../../../api/types';
import { asText } from '../../../utils/text';
import type { ChosenTractor, ReadyRow } from './chooseTractors';
import type { SheetRow } from './rows';
import type { SendResult } from './sendBooking';
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

/**
 * Sends one row; never throws, so that no row takes the results of those before it away.
 *
 * @param timezone IANA name of the workflow's timezone
 * @param knownIds IDs of the bookings that existed before, to which that of the row is added; undefined if they were
 * not fetched
 */
export async function sendRow(
	client: ServiceClient,
	row: ReadyRow,
	timezone: string,
	knownIds: Set<string> | undefined,
): Promise<SentRow> {
	try {
		const { matchFields } = row.settings;
		const sent = await sendBooking(client, row.request, { matchFields, timezone, knownIds });
		if (sent.result === 'created') knownIds?.add(asText(sent.booking.bookingID));
		return { ...row, kind: 'sent', sent };
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
