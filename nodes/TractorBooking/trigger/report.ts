import { DAY_MS } from '../utils/time';
import type { Failure, Reader, Source } from './scan/reader';
import type { Settings } from './settings';
import type { State } from './state';
import type { Change } from './toEvent';
import type { Tracker } from './tracker';

/** Messages for n8n's log, by what they are about. They name bookings by their IDs only. */
export type Warnings = Map<string, string>;

/** From so many never-seen bookings in one poll on, the log says why they start the workflow. */
const MANY = 100;

/** What a first scan means for the operator, and why there is one. */
export function firstScan(reason: string): string {
	return `${reason}: the bookings are recorded as they are now, and only later changes start the workflow.`;
}

/**
 * Whether the list is missing because it is empty, as with some services: no booking is known, and the service responds
 * to something else at the base URL, so that this is not what is wrong.
 */
async function isMissingListEmpty(
	{ hasList, end, failures, unknown }: Reader,
	{ chosen }: Settings,
	{ memory }: State,
	source: Source,
): Promise<boolean> {
	const isRead = chosen !== undefined || hasList || memory.size > 0;
	const isMissing = !end && failures.length === 0 && unknown[0]?.error.kind === 'notFound';
	return !isRead && isMissing && (await source.isThere?.()) === true;
}

/**
 * What could not be read: a warning, or an error if nothing could. A rate limit in the first scan is not an error: it
 * would block publishing.
 *
 * @throws ServiceError
 */
export async function report(
	reader: Reader,
	settings: Settings,
	state: State,
	source: Source,
	warnings: Warnings,
): Promise<void> {
	const { failures, failure, unknown, hasList, end } = reader;
	const { chosen } = settings;
	const isPutOff = failure === end && end?.kind === 'rateLimited' && !state.progress.isKnown;
	if (failure && !isPutOff) throw failure;
	if (await isMissingListEmpty(reader, settings, state, source)) {
		warnings.set(
			'empty',
			'The service answers 404 for the list of bookings, and responds to other requests: your organisation seems to have no booking yet.',
		);
		return;
	}
	const [first] = unknown;
	const isNothing = chosen ? unknown.length === chosen.length : !hasList && !end;
	if (first && isNothing) throw first.error;
	if (end) warnings.set('end', `${end.message}. The next poll goes on from there.`);
	const isPage = ({ page }: Failure) => page !== undefined;
	const pages = failures.filter(isPage);
	if (pages[0]) {
		const numbers = [...new Set(pages.map(({ page }) => page))].slice(0, 10).join(', ');
		warnings.set('pages', `${pages[0].error.message}. Left out for now: page ${numbers}.`);
	}
	for (const failed of [...failures, ...unknown]) {
		const { message } = failed.error;
		if (!isPage(failed)) warnings.set(message, `${message}. The others are read.`);
	}
}

/** What hides events although the bookings can be read, or makes many of them. */
export function explain(
	tracker: Tracker,
	changes: readonly Change[],
	{ since, progress }: State,
	nowMs: number,
	warnings: Warnings,
): void {
	const { unreadable, isStatusless, unjudged, flood } = tracker;
	const isUnseen = ({ previous, isRepeat }: Change) => previous === undefined && !isRepeat;
	const unseen = changes.filter(isUnseen).length;
	const isLate = nowMs - (progress.round?.startedAt ?? nowMs) > DAY_MS;
	const found: Array<[what: string, isSo: boolean, text: string]> = [
		[
			'unreadable',
			unreadable > 0,
			`${unreadable} bookings are left out: they have no bookingID, or an ID or a status that cannot be stored.`,
		],
		[
			'statusless',
			isStatusless,
			'None of the bookings that were read has a bookingStatus, so no change can be seen.',
		],
		[
			'unjudged',
			unjudged.length > 0,
			`The serviceDate of ${unjudged.length} open bookings cannot be read, such as that of booking ${unjudged[0]}: they are never overdue.`,
		],
		[
			'flood',
			flood > 0,
			`${flood} bookings appear for the first time, and their createdAt does not say whether they are new: they are recorded as they are now, and only later changes start the workflow.`,
		],
		[
			'many',
			unseen > MANY,
			`${unseen} bookings that were not seen before start the workflow: they were made after ${new Date(since).toISOString()}, or Emit Existing Matches is on.`,
		],
		[
			'late',
			isLate,
			'It takes more than a day to read every booking once. Unless n8n was off meanwhile, poll more often.',
		],
	];
	for (const [what, isSo, text] of found) if (isSo) warnings.set(what, text);
}
