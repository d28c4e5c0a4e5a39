import { ServiceError } from '../../../../api/errors';
import type { FinishedRow, ReadyRow } from '../row';
import { finished } from '../row';

/** The row as one whose response was lost. @param why it could not be found out whether it was booked */
export function asUnknown(row: ReadyRow, lost: ServiceError, why: string): FinishedRow {
	const message = `It is unknown whether this row was booked: ${lost.message}`;
	const failure = new ServiceError(lost.kind, message, {
		status: lost.status,
		description: `It could not be found out: ${why}. Run the rows again after 20 minutes, as they are, with If Already Booked set to Skip: by then the list of bookings shows it, or it was not booked. Or look the booking up with Booking > Get Many first.`,
	});
	return finished(row, { result: 'unknown', failure });
}

/** The row as one that is not sent. */
export function notSent(row: ReadyRow, why: string): FinishedRow {
	const failure = new ServiceError('stopped', `Not sent, because ${why}`, {
		description: 'Run the rows again once this is fixed.',
	});
	return finished(row, { result: 'not sent', failure });
}

/** Failures with the same error after which a service that has accepted no row is not asked again. */
export const MAX_EQUAL_FAILURES = 5;

/** Why the rows after these are not to be sent; undefined if they are to be sent. @param rows those that were sent */
export function reasonToEnd(rows: readonly FinishedRow[]): string | undefined {
	const last = rows.at(-1);
	if (!(last?.failure instanceof ServiceError)) return undefined;
	const { kind, message } = last.failure;
	if (kind === 'notAllowed') return `the service refused row ${last.sheetRow}: ${message}`;
	const failures = rows.slice(-MAX_EQUAL_FAILURES);
	const isSystematic =
		failures.length === MAX_EQUAL_FAILURES &&
		failures.every(({ failure }) => failure?.message === message) &&
		rows.every(({ result }) => result !== 'created');
	return isSystematic
		? `the previous ${MAX_EQUAL_FAILURES} rows failed with the same error: ${message}`
		: undefined;
}
