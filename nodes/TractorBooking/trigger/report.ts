import { ServiceError } from '../api/errors';
import { asText } from '../utils/text';
import { DAY_MS } from '../utils/time';
import { toStatus } from './bookings';
import type { Reader, Source } from './scan/reader';
import type { Settings } from './settings';
import type { State } from './state';
import type { Tracker } from './tracker';

/** What it means for the operator that bookings are noted, and why they are. */
export function notedBecause(reason: string): string {
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

/** Names of fields that can be shown, and how many of them. */
const FIELD_NAME = /^[\p{L}\p{N}_ .-]{1,40}$/u;
const MAX_FIELD_NAMES = 12;

/**
 * Fails a poll that has read records of which none can lead to an event: it would find nothing for ever.
 *
 * @throws ServiceError (`unreadable`)
 */
export function requireUsable(
	{ unreadable, usable, coded, first = {} }: Tracker,
	{ watches }: Settings,
): void {
	const count = unreadable + usable;
	const needsCode = watches.every((watch) => watch.needsCode);
	if (count === 0 || coded > 0 || (usable > 0 && !needsCode)) return;
	const none = `None of the bookings that were read (${count}) has a`;
	const tell =
		'Compare the base URL in the credential with the one in the partner dashboard. If it is right, tell the operator of the service. No change is lost meanwhile.';
	const names = Object.keys(first).filter((name) => FIELD_NAME.test(name));
	const fields = names.slice(0, MAX_FIELD_NAMES).join(', ') || 'no names that can be shown';
	if (usable === 0)
		throw new ServiceError(
			'unreadable',
			`${none} bookingID and a bookingStatus that is one number or text`,
			{ description: `The fields of the first one: ${fields}. ${tell}` },
		);
	const status = toStatus(first.bookingStatus);
	const shown = status === undefined ? '' : `That of the first one is "${asText(status)}". `;
	throw new ServiceError(
		'unreadable',
		`${none} bookingStatus that is a number, or a label such as "completed"`,
		{
			description: `${shown}${tell} Booking Status Changed without From and To Statuses takes any text.`,
		},
	);
}

/** What hides events although the bookings can be read. Names bookings by their IDs only. */
export function reportChanges(
	{ unreadable, unjudged, flood }: Tracker,
	{ progress }: State,
	nowMs: number,
): string[] {
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
			notedBecause(
				`${flood} bookings appear for the first time, and their createdAt does not say whether they are new`,
			),
		);
	if (isLate)
		warnings.push(
			'It takes more than a day to read every booking once. Unless n8n was off meanwhile, poll more often.',
		);
	return warnings;
}
