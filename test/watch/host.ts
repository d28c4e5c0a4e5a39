import type { IDataObject } from 'n8n-workflow';

import { ServiceError } from '../../nodes/TractorBooking/service/errors';
import type { Source } from '../../nodes/TractorBooking/watch/look';
import { keep, look } from '../../nodes/TractorBooking/watch/look';
import type { Settings } from '../../nodes/TractorBooking/watch/settings';
import { Ledger } from './ledger';
import { settings } from './looking';
import type { World } from './world';

const START = Date.parse('2026-02-01T12:00:00Z');
const MINUTE_MS = 60_000;

/** For how long after a poll a restart makes the trigger tell its events again. */
const REPEATED_FOR_MS = 15 * MINUTE_MS;

/** The parts of a poll's course that a history chooses. */
export interface Course {
	/** Requests that the poll may make. */
	requests?: number;
	/** What happens before the request of this number (from 0) is answered. */
	at?: number;
	meanwhile?: () => void | Promise<void>;
	/** How the request of this number fails. */
	fails?: 'server' | 'rateLimited';
	/** The process dies: during that request, or at the end of the poll. */
	dies?: 'atRequest' | 'beforeKeeping' | 'afterSaving' | 'afterStarting' | 'afterBoth';
}

/** A memory, and what goes with it. */
interface Saved {
	memory: IDataObject | undefined;
	ledger: Ledger;
	/** The ledgers before each of the polls that told something, with their instants. */
	told: Array<{ atMs: number; before: Ledger }>;
}

/** Thrown where the process dies: whoever was waiting does nothing any more. */
class Died extends Error {}

/** n8n as far as a polled trigger meets it: static data, when it is saved, and what a crash leaves. */
export class Host {
	settings: Settings;

	private kept: IDataObject = {};

	private ledger: Ledger;

	private told: Saved['told'] = [];

	private saves: Saved[];

	private nowMs = START;

	/** Whether the next poll is the one of an activation. */
	private activates = true;

	/** Whether the next poll is the first one of its process. */
	private restarted = true;

	constructor(
		private readonly world: World,
		changes: Partial<Settings>,
		/** Whether the memory is stored together with the execution, and after every scheduled poll. */
		private readonly durable: boolean,
	) {
		this.settings = settings(changes);
		this.ledger = Ledger.begin(world, this.settings);
		this.saves = [{ memory: undefined, ledger: this.ledger, told: [] }];
	}

	/** One poll from beginning to end, or to the end of the process. */
	async poll(course: Course = {}): Promise<void> {
		const { restarted, activates } = this;
		const former = this.ledgerFor(restarted);
		const ledger = former.under(this.settings);
		const kept = this.durable ? { ...this.kept } : this.kept;
		const before = kept.memory;
		const tick = this.world.tick;
		const budget = {
			until: Infinity,
			requests: course.requests ?? Infinity,
			now: () => this.nowMs,
		};
		const looking = look(this.sourceFor(course), this.settings, before, budget, restarted);
		const found = await looking.catch(expected);
		if (found instanceof ServiceError) return;
		if (found instanceof Died || course.dies === 'beforeKeeping') {
			this.crash();
			return;
		}
		if (!keep(kept, before, found)) return;
		this.activates = false;
		if (found.isPutOff) return;
		this.restarted = false;
		const after = ledger.add(found.events, tick);
		// With durable cursors the change of an activation's poll is dropped.
		if (this.durable && activates) return;
		this.kept = kept;
		const goesOn = !restarted && ledger === former;
		this.told = goesOn ? [...this.told] : [];
		if (found.events.length > 0) this.told.push({ atMs: this.nowMs, before: ledger });
		this.ledger = after;
		const isSaved = this.durable || activates || found.events.length > 0;
		if (isSaved) this.save();
		if (course.dies) this.crashAfter(course.dies, isSaved && !this.durable);
	}

	/** Some minutes in which nothing happens. */
	pass(minutes: number): void {
		this.nowMs += minutes * MINUTE_MS;
	}

	/** The ledger to go on with: after a restart, the one before everything that is told again. */
	private ledgerFor(restarted: boolean): Ledger {
		const again = this.told.find(({ atMs }) => this.nowMs - atMs <= REPEATED_FOR_MS);
		return restarted && again ? again.before : this.ledger;
	}

	private save(): void {
		const memory = structuredClone(this.kept.memory) as IDataObject | undefined;
		const saved: Saved = { memory, ledger: this.ledger, told: this.told };
		this.saves = this.durable ? [saved] : [...this.saves, saved];
	}

	/** Polls until a whole sweep is over that began after the last change. */
	async rest(): Promise<void> {
		const pages = Math.ceil(this.world.keys().length / this.settings.pageSize);
		const polls = this.sweepsInSlices() ? 6 + Math.ceil(pages / 2) : 5;
		for (let poll = 0; poll < polls; poll++) await this.poll();
		if (this.progress()?.baseline !== false) throw new Error('the baseline does not end');
		this.ledger = this.ledger.atRest();
		// Without durable cursors, the memory that was saved last may be older than this rest.
		if (this.durable) this.save();
	}

	/** The process dies and starts again with an earlier memory. */
	crash(choice = 0): void {
		const last = this.saves.length - 1;
		const from = last - (choice % this.saves.length);
		const saved = this.saves[from];
		if (!saved) throw new Error('Nothing was ever saved');
		this.saves = this.saves.slice(0, from + 1);
		this.kept = saved.memory ? { memory: structuredClone(saved.memory) } : {};
		this.ledger = saved.ledger;
		this.told = saved.told;
		this.restarted = true;
		// With durable cursors a restart takes no poll of its own.
		this.activates = !this.durable;
	}

	/** The workflow is unpublished and published again, maybe with other settings. */
	republish(changes: Partial<Settings> = {}): void {
		this.settings = { ...this.settings, ...changes };
		this.activates = true;
	}

	/** n8n dies around the two steps of an emission: saving the memory, and starting the workflow. */
	private crashAfter(dies: NonNullable<Course['dies']>, savedNow: boolean): void {
		// The workflow was started, but the memory not saved: it is the one of before.
		if (dies === 'afterStarting' && savedNow) this.saves.pop();
		this.crash();
	}

	private sourceFor({ at, fails, meanwhile, dies }: Course): Source {
		let number = -1;
		const answer = async <T>(read: () => Promise<T>): Promise<T> => {
			number += 1;
			if (number === at) {
				await meanwhile?.();
				if (dies === 'atRequest') throw new Died();
				if (fails) throw new ServiceError(fails, 'The request failed');
			}
			return await read();
		};
		const { list } = this.world;
		return {
			readPage: async (page, size) => await answer(async () => await list.readPage(page, size)),
			readBooking: async (key) => await answer(async () => await list.readBooking(key)),
		};
	}

	private sweepsInSlices(): boolean {
		return this.progress()?.order !== 'none';
	}

	private progress(): { baseline: boolean; order: string } | undefined {
		const memory = this.kept.memory as { text: string } | undefined;
		if (!memory) return undefined;
		return (JSON.parse(memory.text) as { progress: { baseline: boolean; order: string } }).progress;
	}
}

/** The errors that belong to a history. */
function expected(error: unknown): ServiceError | Died {
	if (error instanceof ServiceError || error instanceof Died) return error;
	throw error;
}
