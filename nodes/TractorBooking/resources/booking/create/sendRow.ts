import type { IDataObject } from 'n8n-workflow';

import { ServiceError } from '../../../api/errors';
import type { BookingRequest } from '../../../api/types';
import type { ChosenTractor, ReadyRow } from './chooseTractors';
import type { SheetRow } from './rows';

/** The result of sending a booking. */
export type SendResult =
	| { result: 'created'; booking: IDataObject; reason: string }
	| { result: 'failed' | 'unknown' | 'not sent'; failure: ServiceError };

/** A row that was sent, or that was left out because of what became of those before it. */
export interface SentRow extends SheetRow {
	kind: 'sent';
	request: BookingRequest;
	tractor?: ChosenTractor;
	sent: SendResult;
}

/** A row with the result of sending it. */
export function asSent(row: ReadyRow, sent: SendResult): SentRow {
	return { ...row, kind: 'sent', sent };
}

/** The row as one whose answer was lost. @param why it could not be found out whether it was booked */
export function asUnknown(row: ReadyRow, lost: ServiceError, why: string): SentRow {
	const message = `It is unknown whether this row was booked: ${lost.message}`;
	const failure = new ServiceError(lost.kind, message, {
		status: lost.status,
		description: `It could not be found out: ${why}. Run the rows again after 15 minutes, as they are, with If Already Booked set to Skip: by then the list of bookings shows it, or it was not booked. Or look the booking up with Booking > Get Many first.`,
	});
	return asSent(row, { result: 'unknown', failure });
}

/** The row as one that is left out. */
export function leftOut(row: ReadyRow, why: string): SentRow {
	const failure = new ServiceError('stopped', `Not sent, because ${why}`, {
		description: 'Run the rows again once this is fixed.',
	});
	return asSent(row, { result: 'not sent', failure });
}

/** Failures in the same words after which a service that has accepted no row is not asked again. */
export const MAX_EQUAL_FAILURES = 5;

/** Why the rows after these are to be left out; undefined if they are to be sent. */
export function reasonToEnd(rows: readonly SentRow[]): string | undefined {
	const last = rows.at(-1);
	if (!last || last.sent.result === 'created') return undefined;
	const { kind, message } = last.sent.failure;
	if (kind === 'notAllowed') return `the service refused row ${last.sheetRow}: ${message}`;
	const isEqual = ({ sent }: SentRow) =>
		sent.result !== 'created' && sent.failure.message === message;
	const failures = rows.slice(-MAX_EQUAL_FAILURES);
	if (failures.length < MAX_EQUAL_FAILURES || !failures.every(isEqual)) return undefined;
	if (rows.some(({ sent }) => sent.result === 'created')) return undefined;
	return `the ${MAX_EQUAL_FAILURES} rows before failed in the same words: ${message}`;
}
