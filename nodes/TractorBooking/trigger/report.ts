import { ServiceError } from '../api/errors';
import type { OpenBookings } from './openBookings';
import { isKnown } from './scan/list';
import type { Reader } from './scan/reader';
import type { State } from './state';
import type { Tracker } from './tracker';

/** What it means for the operator that bookings are noted, and why they are. */
export function notedBecause(reason: string): string {
	return `${reason}. The bookings are recorded as they are now, and only later changes start the workflow.`;
}

/**
 * What could not be read: warnings, or an error if nothing could. A rate limit in the first scan is not an error: it
 * would block publishing.
 *
 * @throws ServiceError
 */
export function reportReading(
	{ failures, failure, end }: Reader,
	{ progress }: State,
	{ failure: ofOpen }: OpenBookings,
): string[] {
	const isPutOff = failure?.kind === 'rateLimited' && !isKnown(progress);
	if (failure && !isPutOff) throw failure;
	const warnings = end ? [`${end.message}. The next poll continues from there.`] : [];
	const [failed] = failures;
	if (failed)
		warnings.push(
			`Some pages could not be read, such as page ${failed.page}: ${failed.error.message}.`,
		);
	// Their IDs would make another warning of it at each poll.
	if (ofOpen)
		warnings.push(
			`Open bookings cannot be read by their IDs (${ofOpen.status ?? ofOpen.kind}): in this long list, their events may come late.`,
		);
	return warnings;
}

/**
 * Fails a poll if none of several records that it has read can lead to an event: it would find nothing for ever.
 *
 * @throws ServiceError (`unreadable`)
 */
export function requireUsable({ unreadable, met }: Tracker): void {
	if (unreadable < 2 || met.size > 0) return;
	throw new ServiceError(
		'unreadable',
		`None of the bookings that were read (${unreadable}) has a bookingID and a bookingStatus that is a number, or a label such as "completed"`,
		{
			description:
				'Get Many of the Tractor Booking node shows what they have. Compare the base URL in the credential with the one in the partner dashboard. If it is right, tell the operator of the service. No change is lost meanwhile.',
		},
	);
}

/** What hides events although the bookings can be read. Names bookings by their IDs only. */
export function reportChanges({ unreadable, unjudged, flood }: Tracker): string[] {
	const warnings: string[] = [];
	if (unreadable > 0)
		warnings.push(
			`${unreadable} bookings are left out: they have no bookingID that can be stored, or no bookingStatus that is a number or a known label.`,
		);
	if (unjudged.length > 0)
		warnings.push(
			`The serviceDate of ${unjudged.length} open bookings cannot be read, such as that of booking ${unjudged[0]}: they are never overdue.`,
		);
	if (flood > 0)
		warnings.push(
			notedBecause(
				`${flood} bookings appear for the first time, and their createdAt does not say whether they are new`,
			),
		);
	return warnings;
}
