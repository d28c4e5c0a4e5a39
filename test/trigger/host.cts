import type { IDataObject } from 'n8n-workflow';

import { ServiceError } from '../../nodes/TractorBooking/api/errors';
import { isFirstScanOver, type Progress } from '../../nodes/TractorBooking/trigger/state';
import type { Source } from '../../nodes/TractorBooking/trigger/scan/reader';
import { pollScheduled, type PollRegistry } from '../../nodes/TractorBooking/trigger/scheduledPoll';
import { NO_PAGE } from './bookingList.cts';
import { isOnce, Ledger, type Event, type EmittedBatch } from './ledger.cts';
import { settings, START, type Chosen, type TestSettings } from './polling.cts';
import type { World } from './world.cts';

const MINUTE_MS = 60_000;
const HOUR_MS = 60 * MINUTE_MS;

/** Time between the polls of a rest: a memory that another poll replaced just before it is left out. */
const REST_BETWEEN_MS = 10_000;

/** Polls of a rest at most: a first scan takes up to 20 rounds, and a round over a long list several polls. */
const MAX_REST = 100;

export interface Course {
	requests?: number;
	/** What happens before the response to the request of this number (from 0). */
	at?: number;
	meanwhile?: () => void | Promise<void>;
	fails?: 'server' | 'rateLimited' | 'notAllowed' | 'notJson' | 'timeout';
	/** A wrong response to it: a page without records, or that there is no such page. */
	wrong?: 'empty' | 'absent';
	/** Milliseconds until every response, of the 28.8 s that n8n's budget with durable cursors leaves. */
	slowMs?: number;
	/** The process dies: during that request, or at the end of the poll. */
	dies?: 'atRequest' | 'beforeKeeping' | 'afterSaving' | 'afterStarting' | 'afterBoth';
	/** What happens after n8n has read the memory for the poll from its database, and before it starts. */
	startsAfter?: () => Promise<void>;
}

/** A stored state, and what has been emitted on the way to it. */
interface Saved {
	memory: IDataObject | undefined;
	ledger: Ledger;
	emitted: EmittedBatch[];
}

interface Process {
	registry: PollRegistry;
	/** The static data, which lives as long as the process unless cursors are durable. */
	kept: IDataObject;
	live: Omit<Saved, 'memory'>;
	/** Whether the next poll is the one of an activation. */
	activates: boolean;
	isFresh: boolean;
	/** What it has to emit again; only the process knows. */
	owed: readonly EmittedBatch[];
	isAlive: boolean;
	ids: Set<unknown>;
}

/** Thrown when the process dies: nothing that waited continues. */
class Died extends Error {}

const SILENT = { debug: () => undefined, warn: () => undefined };

/** n8n as far as a polled trigger meets it: static data, when it is saved, and what a crash leaves. */
export class Host {
	settings: TestSettings;
	private chosen: Chosen;
	private process: Process;
	private other?: Process;

	/** Whether a second process has stored memories, too: it may overwrite what the first one stored. */
	private isShared = false;
	private saves: Saved[];

	/** The id with which each change was emitted first, as long as a crash costs the state of one poll at most. */
	private firstIds?: Map<string, string> = new Map();

	constructor(
		private readonly world: World,
		changes: Chosen,
		/** Whether the memory is stored together with the execution, and after every scheduled poll. */
		private readonly durable: boolean,
	) {
		this.chosen = changes;
		this.settings = settings(changes);
		world.nowMs = START;
		const first = { memory: undefined, ledger: Ledger.begin(world, this.settings), emitted: [] };
		this.saves = [first];
		this.process = this.start(first, true);
	}

	async poll(course: Course = {}): Promise<void> {
		await this.pollIn(this.process, course);
	}

	async pollElsewhere(course: Course = {}): Promise<void> {
		this.other ??= this.start(this.lastSaved(), !this.durable);
		this.firstIds = undefined;
		this.isShared = true;
		await this.pollIn(this.other, course);
	}

	pass(minutes: number): void {
		this.world.nowMs += minutes * MINUTE_MS;
	}

	/** Polls without any trouble until whole rounds are over that began after the last change. */
	async rest(): Promise<void> {
		this.world.badPage = undefined;
		this.world.badBookings = undefined;
		// The first round that ends may have begun before. If page 0 was once shown empty, the next one finds that records are missing, and the third has them.
		for (let poll = 0, rounds = 0; rounds < 3; poll++) {
			if (poll === MAX_REST) throw new Error('the rounds do not end');
			this.world.nowMs += REST_BETWEEN_MS;
			await this.poll();
			if (this.isRoundOver()) rounds += 1;
		}
		if (!this.durable) {
			// The memory that was saved last may be older than this rest.
			const ledger = this.process.live.ledger.atRest();
			this.process.live = { ...this.process.live, ledger };
			this.process.owed = ledger.owed;
			return;
		}
		const last = this.lastSaved();
		const ledger = last.ledger.atRest();
		this.saves = [{ ...last, ledger }];
		this.process.owed = ledger.owed;
	}

	/** All processes die, and one starts again with an earlier memory. */
	crash(choice = 0): void {
		if (choice > 0) this.firstIds = undefined;
		for (const process of [this.process, this.other]) if (process) process.isAlive = false;
		this.other = undefined;
		const last = this.saves.length - 1;
		this.saves = this.saves.slice(0, last - (choice % this.saves.length) + 1);
		// With durable cursors a restart has no poll of its own.
		this.process = this.start(this.lastSaved(), !this.durable);
	}

	republish(changes: Chosen = {}): void {
		this.chosen = { ...this.chosen, ...changes };
		this.settings = settings(this.chosen);
		if (Object.keys(changes).length > 0) this.firstIds = undefined;
		this.process.activates = true;
		// The other process starts again from what is saved, as a second main instance does.
		this.other = undefined;
	}

	private start({ memory, ledger, emitted }: Saved, activates: boolean): Process {
		return {
			registry: new Map(),
			kept: memory ? { memory: structuredClone(memory) } : {},
			live: { ledger, emitted },
			activates,
			isFresh: true,
			owed: [],
			isAlive: true,
			ids: new Set(),
		};
	}

	private lastSaved(): Saved {
		const saved = this.saves.at(-1);
		if (!saved) throw new Error('Nothing was ever saved');
		return saved;
	}

	private async pollIn(process: Process, course: Course): Promise<void> {
		const loaded = this.lastSaved();
		await course.startsAfter?.();
		if (!process.isAlive) return;
		const { durable, settings } = this;
		const { tick, nowMs } = this.world;
		const { activates, isFresh } = process;
		const kept = durable ? { memory: structuredClone(loaded.memory) } : process.kept;
		const { ledger: former, emitted } = durable ? loaded : process.live;
		// The second one may never poll late enough.
		const ofOther = process === this.other ? { watched: undefined, isOfOther: true } : {};
		// Two processes that have to emit an event again do not do so together.
		const emittedMs = new Map(emitted.map(({ event, atMs }) => [event.eventId, atMs]));
		// After a restart, those of a day; a second process may forget what is older. The poll that emitted them may have taken long.
		const ageOf = ({ atMs }: EmittedBatch) => nowMs - atMs;
		const mayBeForgotten = (one: EmittedBatch) =>
			(isFresh || this.isShared) && ageOf(one) >= 23 * HOUR_MS;
		// What another process has replaced, such as the state of another account, owes nothing.
		const isKept = ({ event }: EmittedBatch) => emittedMs.has(event.eventId);
		const own = isFresh
			? emitted.filter((one) => ageOf(one) < 25 * HOUR_MS)
			: process.owed.filter(isKept);
		const owed = own.map((one) => {
			const must = mayBeForgotten(one) ? { watched: undefined } : {};
			return { ...one, ...must, ...ofOther, atMs: emittedMs.get(one.event.eventId) ?? one.atMs };
		});
		const ledger = former.owing(settings.repeatsAfterRestart ? owed : []).under(settings);
		const events = await pollScheduled(process.registry, {
			id: 'trigger',
			staticData: kept,
			source: this.sourceFor(process, course),
			settings,
			budget: {
				until: course.slowMs === undefined ? Infinity : nowMs + 28_800,
				requests: course.requests ?? Infinity,
				now: () => this.world.nowMs,
			},
			logger: SILENT,
		}).catch(expected);
		if (events instanceof Error || !events || !process.isAlive) return;
		const dies = course.dies === 'atRequest' ? undefined : course.dies;
		if (dies === 'beforeKeeping') return this.crash();
		process.activates = false;
		process.isFresh = false;
		const after = ledger.add(events, tick);
		for (const { event } of after.latest) this.checkSameId(event);
		const ids = new Set(events.map(({ eventId }) => eventId));
		// With durable cursors the change of an activation's poll is dropped: what it replaced may come again.
		const isDropped = durable && activates;
		process.owed = isDropped
			? ledger.owed.filter(({ event }) => !ids.has(event.eventId))
			: after.owed;
		if (isDropped) return;
		// Polls that begin without a state cannot be distinguished.
		const isAlone = !durable || (!this.isShared && loaded.memory !== undefined);
		if (isAlone) for (const event of events) checkEmittedOnce(process, event);
		const before = former.repeatsUnder(settings) ? emitted : [];
		const saved: Saved = {
			memory: structuredClone(kept.memory) as IDataObject | undefined,
			ledger: after,
			emitted: [...before.filter(({ event }) => !ids.has(event.eventId)), ...after.latest],
		};
		process.live = saved;
		const isSaved = durable || activates || events.length > 0;
		const savedBefore = this.saves;
		if (isSaved) this.saves = durable ? [saved] : [...savedBefore, saved];
		if (!dies) return;
		// The workflow was started, but the memory not saved: it is the one of before.
		if (dies === 'afterStarting' && !durable) this.saves = savedBefore;
		this.crash();
	}

	/** A change that is emitted again, after a crash too, has the id that it had. */
	private checkSameId({ bookingID, bookingStatus, event, eventId }: Event): void {
		const entered = this.world.lastEntered(bookingID, bookingStatus);
		const how = isOnce({ event }) ? [] : [bookingStatus, entered];
		const change = JSON.stringify([event, bookingID, ...how]);
		const first = this.firstIds?.get(change);
		if (first !== undefined && first !== eventId)
			throw new Error(`${eventId} was emitted before, as ${first}`);
		this.firstIds?.set(change, eventId);
	}

	private sourceFor(process: Process, course: Course): Source {
		const { at, fails, wrong, slowMs = 0, meanwhile, dies } = course;
		let [number, asked] = [-1, 0];
		const respond = async <T,>(read: () => Promise<T>): Promise<T> => {
			number += 1;
			this.world.nowMs += slowMs;
			if (number === at) {
				await meanwhile?.();
				if (dies === 'atRequest') this.crash();
				if (fails && process.isAlive) throw new ServiceError(fails, 'The request failed');
			}
			if (!process.isAlive) throw new Died();
			return await read();
		};
		const { world } = this;
		const readPage: Source['readPage'] = async (page, size) => {
			if (page === world.badPage) {
				world.stir();
				throw new ServiceError('server', 'The request failed', { status: 500 });
			}
			if (wrong && number === at) {
				world.stir();
				if (wrong === 'empty') return { records: [] };
				throw NO_PAGE;
			}
			return await world.list.readPage(page, size);
		};
		return {
			readPage: async (page, size) => await respond(async () => await readPage(page, size)),
			readBooking: async (key) =>
				await respond(async () => {
					asked += 1;
					const { badBookings } = world;
					if (badBookings && asked % 3 === 0)
						throw new ServiceError(badBookings, 'The request failed');
					return await world.list.readBooking(key);
				}),
		};
	}

	private isRoundOver(): boolean {
		const { memory } = this.durable ? this.lastSaved() : this.process.kept;
		const { text = '{}' } = (memory ?? {}) as { text?: string };
		const { progress } = JSON.parse(text) as { progress?: Progress };
		return progress !== undefined && isFirstScanOver(progress) && !progress.round;
	}
}

/** As long as it lives, a process emits nothing twice, however its polls overlap. */
function checkEmittedOnce({ ids }: Process, { eventId }: IDataObject): void {
	if (ids.has(eventId))
		throw new Error(`${JSON.stringify(eventId)} is emitted twice by one process`);
	ids.add(eventId);
}

function expected(error: unknown): ServiceError | Died {
	if (error instanceof ServiceError || error instanceof Died) return error;
	throw error;
}
