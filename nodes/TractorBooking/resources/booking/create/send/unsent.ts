import { ServiceError } from '../../../../api/errors';
import { quoted } from '../../../../api/responses';
import { waitUnchanged, waitUntil } from '../match/verdicts';
import { finished, type FinishedRow, type ReadyRow } from '../row';

/** What else to do about a status that the interface does not name: it may say what is wrong with the row. */
const UNDOCUMENTED =
	'If that says what is wrong, look the booking up with Booking > Get Many: if it is there, write its ID into the row; if not, correct the row. Otherwise:';

/** Why a row may be booked, or not: the failure of its request, or that another run may have sent it. */
export type WhyUnconfirmed = ServiceError | 'sent by another run';

interface Doubt {
	why?: WhyUnconfirmed;
	/** Why the list could not be read. */
	unread?: Error;
}

/** The row as one that may be booked, or not. @param end when its claim has ended, in milliseconds since 1970 */
export function asUnknown(
	row: ReadyRow,
	end: number,
	{ why: unconfirmed, unread }: Doubt = {},
): FinishedRow {
	const failure = unconfirmed instanceof ServiceError ? unconfirmed : undefined;
	const message = failure
		? `It is unknown whether this row was booked: ${failure.message}`
		: `${row.denied.length > 0 ? 'A row with the same job' : 'This row'} was sent a few minutes ago and may be booked`;
	const why = unread ? `The bookings could not be read: ${unread.message}. ` : '';
	const { kind = 'interrupted', status, said = '' } = failure ?? {};
	const wait = why + waitUnchanged(row, end);
	const isUndocumented = kind === 'status' && said !== '';
	const advice = isUndocumented ? `${UNDOCUMENTED} ${wait}` : wait;
	const description = quoted(said, advice);
	return finished(row, {
		result: 'unknown',
		failure: new ServiceError(kind, message, { status, description }),
	});
}

/** Why no other row is sent, and what to do. */
export interface StopReason {
	why: string;
	/** By default to wait until the claims of the rows before have ended. */
	fix?: string;
}

/** The row as one that is not sent. @param end when the claims of the rows before have ended */
export function notSent(row: ReadyRow, { why, fix }: StopReason, end: number): FinishedRow {
	const description = fix ?? `${waitUntil(row, end)}: rows booked by then are skipped.`;
	const failure = new ServiceError('stopped', `Not sent: ${why}`, { description });
	return finished(row, { result: 'not sent', failure });
}
