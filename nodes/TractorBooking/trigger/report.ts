import { DAY_MS } from '../utils/time';
import type { Change } from './items';
import type { Reader, Source } from './scan/reader';
import type { Settings } from './settings';
import type { State } from './state';
import type { Tracker } from './tracker';

/** From so many never-seen bookings in one poll on, the log says why they start the workflow. */
const MANY = 100;

/** What a first scan means for the operator, and why there is one. */
export function firstScan(reason: string): string {
	return `${reason}: the bookings are recorded as they are now, and only later changes start the workflow.`;
}

/**
 * What could not be read: warnings, or an error if nothing could. A rate limit in the first scan is not an error: it
 * would block publishing.
 *
 * @throws ServiceError
 */
export async function reportReading(
	{ failures, failure, unknown, hasList, end }: Reader,
	{ chosen }: Settings,
	{ progress, memory }: State,
	source: Source,
): Promise<string[]> {
	const isPutOff = failure === end && end?.kind === 'rateLimited' && !progress.isKnown;
	if (failure && !isPutOff) throw failure;
	const [missing] = unknown;
	const isNothing = chosen ? unknown.length === chosen.length : !hasList && !end;
	if (missing && isNothing) {
		// Some services answer so for an empty list. If they answer nothing else, the base URL may be wrong.
		const mayBeEmpty = !chosen && memory.size === 0 && missing.kind === 'notFound';
		if (!mayBeEmpty || !(await source.isThere?.())) throw missing;
		return [
			'The service answers 404 for the list of bookings, and responds to other requests: your organisation seems to have no booking yet.',
		];
	}
	const warnings = end ? [`${end.message}. The next poll goes on from there.`] : [];
	const [failed] = failures.filter(({ page }) => page !== undefined);
	if (failed) {
		const pages = [...new Set(failures.flatMap(({ page }) => page ?? []))].join(', ');
		warnings.push(`${failed.error.message}. Left out for now: page ${pages}.`);
	}
	const bookings = failures.flatMap(({ page, error }) => (page === undefined ? [error] : []));
	for (const { message } of chosen ? [...bookings, ...unknown] : bookings)
		warnings.push(`${message}. The others are read.`);
	return warnings;
}

/** What hides events although the bookings can be read, or makes many of them. Names bookings by their IDs only. */
export function reportChanges(
	{ unreadable, unjudged, flood }: Tracker,
	changes: readonly Change[],
	{ since, progress }: State,
	nowMs: number,
): string[] {
	const isUnseen = ({ previous, isRepeat }: Change) => previous === undefined && !isRepeat;
	const unseen = changes.filter(isUnseen).length;
	const isLate = nowMs - (progress.round?.startedAt ?? nowMs) > DAY_MS;
	const warnings: string[] = [];
	if (unreadable > 0)
		warnings.push(
			`${unreadable} bookings are left out: they have no bookingID or no bookingStatus, or one that cannot be stored.`,
		);
	if (unjudged.length > 0)
		warnings.push(
			`The serviceDate of ${unjudged.length} open bookings cannot be read, such as that of booking ${unjudged[0]}: they are never overdue.`,
		);
	if (flood > 0)
		warnings.push(
			`${flood} bookings appear for the first time, and their createdAt does not say whether they are new: they are recorded as they are now, and only later changes start the workflow.`,
		);
	if (unseen > MANY)
		warnings.push(
			`${unseen} bookings that were not seen before start the workflow: they were made after ${new Date(since).toISOString()}, or Emit Existing Matches is on.`,
		);
	if (isLate)
		warnings.push(
			'It takes more than a day to read every booking once. Unless n8n was off meanwhile, poll more often.',
		);
	return warnings;
}
