import type { IDataObject, Logger } from 'n8n-workflow';

import { ServiceError, settle } from '../api/errors';
import { toEvent } from './items';
import { OpenBookings, type SeenBookings } from './openBookings';
import { ListScan } from './scan/list';
import { Reader, type Budget, type Source } from './scan/reader';
import type { Settings } from './settings';
import { fingerprint, isFirstScanOver, loadState, newProgress, toText, type State } from './state';
import { Tracker } from './tracker';

/** With durable cursors, n8n may load the state of a poll this long before it starts the poll. */
const MAX_STATE_AGE_MS = 10_000;

export interface PollContext {
	/** Of the trigger, unique in the process. */
	id: string;
	staticData: IDataObject;
	source: Source;
	settings: Settings;
	budget: Budget;
	logger: Pick<Logger, 'debug' | 'warn'>;
}

/** What a process knows about the polls of one trigger. */
interface KnownPolls {
	/** It ends for sure: all that it waits for is given up at its deadline. */
	isRunning?: boolean;
	/** The state that the last poll replaced: n8n gives each poll a copy of its own, which may be outdated. */
	replaced?: { text: unknown; atMs: number };
	/** Of the last poll that succeeded. */
	warnings?: string[];
	/**
	 * The events that it has to emit again; undefined until a poll has succeeded since n8n started. n8n's activation mode does
	 * not say so: with durable cursors, or if the first activation failed, it reports the first poll of a process as a later
	 * one.
	 */
	owed?: ReadonlySet<string>;
	readonly seen: SeenBookings;
}

/** By the IDs of triggers. */
export type PollRegistry = Map<string, KnownPolls>;

const notedBecause = (reason: string) =>
	`${reason}. The bookings are recorded as they are now, and only later changes start the workflow.`;

/** What could not be read. @param lacking bookings that are counted, and not listed @throws ServiceError if nothing could be read */
function* reportReading(
	{ failed, failure, end }: Reader,
	{ progress }: State,
	lacking: number,
): Iterable<string> {
	// As an error it would block the first publishing.
	const isPutOff = failure?.kind === 'rateLimited' && !isFirstScanOver(progress);
	if (failure && !isPutOff) throw failure;
	if (end) yield `${end.message}. The next poll continues from there.`;
	if (failed)
		yield `Some pages could not be read, such as page ${failed.page}: ${failed.error.message}.`;
	else if (lacking > 0)
		yield `The service counts ${lacking} more bookings than it lists: their events may be missed. If this is logged again, tell the operator of the service.`;
}

/** What hides events, naming bookings by their IDs only. @throws ServiceError if no record can lead to one, for ever */
function* reportChanges(tracker: Tracker): Iterable<string> {
	const { unreadable, met, unjudged, tooManyUnsure } = tracker;
	if (unreadable > 0 && met.size === 0) {
		const message = `None of the bookings that were read (${unreadable}) has a bookingID and a bookingStatus that is a number, or a label such as "completed"`;
		const description =
			'Booking > Get Many shows what they have. Compare the base URL with the one in the partner dashboard; if it is right, tell the operator of the service.';
		throw new ServiceError('unreadable', message, { description });
	}
	if (unreadable > 0)
		yield `${unreadable} bookings are left out: they lack a bookingID, or a bookingStatus that is a number or a known label.`;
	if (unjudged.length > 0)
		yield `The serviceDate of ${unjudged.length} open bookings cannot be read, such as that of booking ${unjudged[0]}: they are never overdue.`;
	if (tooManyUnsure > 0)
		yield notedBecause(
			`${tooManyUnsure} bookings appear for the first time, and their createdAt does not say whether they are new`,
		);
}

/**
 * Reads the bookings once and returns what has changed since the state was stored. Stores nothing itself: if it
 * fails, or its result is discarded, the next poll returns the same changes.
 */
async function pollOnce(
	{ source, settings, budget }: PollContext,
	stored: IDataObject | undefined,
	{ owed, seen }: KnownPolls,
) {
	const nowMs = budget.now();
	const { identity } = settings;
	const chosen = settings.watches.map(({ event }) => event);
	const { state, reason } = loadState(stored, identity, chosen, nowMs);
	const warnings = reason ? [notedBecause(reason)] : [];
	const isFirst = !isFirstScanOver(state.progress);
	const reader = new Reader(source, budget);
	const isNewKey = state.key !== identity.key;
	const [knownId] = state.bookings.keys();
	// The key of another organisation does not find it (interface, "Errors"); the list may show new bookings only.
	const known = isNewKey && knownId !== undefined ? await reader.booking(knownId) : undefined;
	const tracker = new Tracker(state, settings, nowMs, owed);
	const open = new OpenBookings(state, tracker, reader, seen, nowMs);
	const scan = new ListScan(reader, state.progress, settings.pageSize, open);
	for await (const bookings of scan.read()) tracker.observe(bookings);
	warnings.push(...reportReading(reader, state, scan.lacking));

	if (reader.hasList && isNewKey) {
		state.key = identity.key;
		const isFound = [...tracker.met.keys()].some((id) => state.bookings.has(id));
		if (known instanceof ServiceError && !isFound) {
			if (known.kind !== 'notFound') throw known;
			// A first scan for bookings that were never seen; the known ones stay known.
			Object.assign(state, { progress: newProgress(), firstScanStartedAt: nowMs });
			warnings.push(notedBecause('The new key belongs to another organisation'));
		}
	}

	const changes = tracker.judge(isFirst || scan.isCutShort, budget.now());
	open.recordSeen(settings.timezone);
	warnings.push(...reportChanges(tracker));
	// Makes the IDs of one account differ from those of others. The zero gives those that earlier versions gave.
	const scope = fingerprint(`${state.account}\n0`, 8);
	const events = changes.map((change) => toEvent(scope, change, nowMs, settings.isSimplified));
	return { events, text: toText(state), warnings, owed: tracker.stillOwed };
}

/**
 * Runs one poll of a published workflow, and stores its state in one assignment, at the end.
 *
 * @returns the output items; undefined if another poll of the trigger is running, or if the first one since n8n started
 * fails: the next one sees the same changes
 * @throws ServiceError
 */
export async function pollScheduled(
	registry: PollRegistry,
	context: PollContext,
): Promise<IDataObject[] | undefined> {
	const { id, staticData, budget, logger } = context;
	const stored = staticData.memory as IDataObject | undefined;
	const isFirst = !registry.has(id);
	const known: KnownPolls = registry.get(id) ?? { seen: new Map() };
	registry.set(id, known);
	const { replaced } = known;
	// After that time, n8n must have lost the state that replaced this one.
	const isOutdated =
		replaced !== undefined &&
		replaced.text === stored?.text &&
		budget.now() < replaced.atMs + MAX_STATE_AGE_MS;
	if (known.isRunning || isOutdated) {
		logger.debug('Skipped: another poll of this trigger is still running.');
		return undefined;
	}
	known.isRunning = true;
	try {
		const result = await settle(pollOnce(context, stored, known));
		if (result instanceof ServiceError) {
			// n8n polls as it starts, and gives up a trigger whose first polls fail. At the first publishing, it shows the failure.
			if (!isFirst || !stored) throw result;
			logger.warn(`${result.message}. The next poll tries again.`);
			return undefined;
		}

		// From here on, no await: the state is stored and the events are returned in one step.
		for (const text of result.warnings) if (!known.warnings?.includes(text)) logger.warn(text);
		known.warnings = result.warnings;
		known.owed = result.owed;
		if (result.text !== stored?.text) {
			staticData.memory = { text: result.text };
			known.replaced = stored && { text: stored.text, atMs: budget.now() };
		}
		return result.events;
	} finally {
		known.isRunning = false;
	}
}
