import type { IDataObject } from 'n8n-workflow';

import { ServiceError } from '../../nodes/TractorBooking/service/errors';
import type { Look, Source } from '../../nodes/TractorBooking/watch/look';
import { keep, look } from '../../nodes/TractorBooking/watch/look';
import type { Settings } from '../../nodes/TractorBooking/watch/settings';
import { Ledger } from './ledger';
import { settings } from './looking';
import type { World } from './world';

const NOW = Date.parse('2026-02-01T12:00:00Z');

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

interface Saved {
	memory: IDataObject | undefined;
	ledger: Ledger;
	/** The ledger if the process is started again with this memory: what was told last may be told again. */
	ledgerOnRestart: Ledger;
}

/** Thrown where the process dies: whoever was waiting does nothing any more. */
class Died extends Error {}

/** n8n as far as a polled trigger meets it: static data, when it is saved, and what a crash leaves. */
export class Host {
	settings: Settings;

	private kept: IDataObject = {};

	private ledger: Ledger;

	private saves: Saved[];

	/** Whether the next poll is the one of an activation. */
	private activates = true;

	private restarted = false;

	constructor(
		private readonly world: World,
		changes: Partial<Settings>,
		/** Whether the memory is stored together with the execution, and after every scheduled poll. */
		private readonly durable: boolean,
	) {
		this.settings = settings(changes);
		this.ledger = Ledger.begin(world, this.settings);
		this.saves = [{ memory: undefined, ledger: this.ledger, ledgerOnRestart: this.ledger }];
	}

	/** One poll from beginning to end, or to the end of the process. */
	async poll(course: Course = {}): Promise<void> {
		const { restarted, activates } = this;
		const ledger = this.ledger.under(this.settings);
		const kept = this.durable ? { ...this.kept } : this.kept;
		const before = kept.memory;
		const tick = this.world.tick;
		const budget = { until: Infinity, requests: course.requests ?? Infinity, now: () => NOW };
		const looking = look(this.sourceFor(course), this.settings, before, budget, restarted);
		const found = await looking.catch(expected);
		if (found instanceof ServiceError) return;
		if (found instanceof Died || course.dies === 'beforeKeeping') {
			this.crash();
			return;
		}
		if (!keep(kept, before, found)) return;
		if (!found.isPutOff) this.restarted = false;
		this.activates = false;
		const after = ledger.add(found.events, tick);
		if (this.durable) this.commitDurably(kept, after, activates);
		else this.emit(found, ledger, after, activates);
		this.ledger = this.durable && activates ? this.ledger : after;
		if (course.dies) this.crashAfter(course.dies, ledger, after);
	}

	/** Polls until a whole sweep is over that began after the last change. */
	async rest(): Promise<void> {
		const pages = Math.ceil(this.world.keys().length / this.settings.pageSize);
		const polls = this.sweepsInSlices() ? 6 + Math.ceil(pages / 2) : 5;
		for (let poll = 0; poll < polls; poll++) await this.poll();
		if (this.progress()?.baseline !== false) throw new Error('the baseline does not end');
		this.ledger = this.ledger.atRest();
		const last = this.saves.at(-1);
		// A memory that has not been saved since is older than this rest; in durable mode it is this one.
		if (this.durable && last)
			this.saves = [{ ...last, ledger: this.ledger, ledgerOnRestart: this.ledger }];
	}

	/** The process dies and starts again with an earlier memory. */
	crash(choice = 0): void {
		const from = this.durable
			? this.saves.length - 1
			: this.saves.length - 1 - (choice % this.saves.length);
		this.saves = this.saves.slice(0, from + 1);
		const saved = this.saves[from];
		this.kept = saved?.memory ? { memory: structuredClone(saved.memory) } : {};
		const ledger = this.durable ? saved?.ledger : saved?.ledgerOnRestart;
		this.ledger = ledger ?? this.ledger;
		// In durable mode a restart takes no poll of its own.
		this.restarted = !this.durable;
		this.activates = !this.durable;
	}

	/** The workflow is unpublished and published again, maybe with other settings. */
	republish(changes: Partial<Settings> = {}): void {
		this.settings = { ...this.settings, ...changes };
		this.activates = true;
	}

	private emit(found: Look, before: Ledger, after: Ledger, activates: boolean): void {
		if (found.events.length === 0 && !activates) return;
		const memory = this.kept.memory as IDataObject | undefined;
		const ledgerOnRestart = found.events.length > 0 ? before : after;
		this.saves.push({ memory: structuredClone(memory), ledger: after, ledgerOnRestart });
	}

	private commitDurably(kept: IDataObject, after: Ledger, activates: boolean): void {
		// The change of an activation's poll is dropped; here it never has events, see `histories`.
		if (activates) return;
		this.kept = kept;
		this.saves = [
			{ memory: kept.memory as IDataObject | undefined, ledger: after, ledgerOnRestart: after },
		];
	}

	/** n8n died around the two steps of an emission: saving the memory, and starting the workflow. */
	private crashAfter(dies: NonNullable<Course['dies']>, before: Ledger, after: Ledger): void {
		const last = this.saves.at(-1);
		if (!this.durable && last && last.ledger === after && before !== after) {
			// The workflow was started, but the memory not saved: it is the one of before.
			if (dies === 'afterStarting') this.saves.pop();
		}
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
		const progress = this.progress();
		return progress?.order !== 'none';
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
