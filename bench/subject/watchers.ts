import type { IDataObject, INodeExecutionData, INodeType } from 'n8n-workflow';
import { rowsNode } from '../../test/support/execution';
import type { PollTask } from '../task';
import { CREDENTIAL, type BenchNode, type BenchWorkflow, type Engine } from './engine';
import { openHistory } from './history';
import { allPages, httpRequest } from './works';

/** Something that reads the bookings at every poll and emits those that were completed. */
export interface Watcher {
	/** One poll, and whatever n8n does to store what it keeps. @throws what the poll fails with. */
	poll(): Promise<IDataObject[]>;
	/** Every booking has been read once. */
	isFirstScanOver(): boolean;
	/** Bytes in n8n's database. */
	bytesKept(): Promise<number>;
	close(): Promise<void>;
}

const COMPLETED = 3;
/** No list of the bench fills it; with the default of 10,000, Remove Duplicates fails on the longer ones. */
const LARGE_HISTORY = 10_000_000;

/**
 * The trigger as it is written first: all pages one after the other, and the status of every booking in an
 * object in static data.
 */
function mapInStaticData(url: string): INodeType {
	return {
		description: {
			...rowsNode.description,
			group: ['trigger'],
			polling: true,
			credentials: [{ name: CREDENTIAL }],
		},
		async poll() {
			const kept = this.getWorkflowStaticData('node');
			const isFirst = kept.statuses === undefined;
			const statuses = (kept.statuses ??= {}) as IDataObject;
			const completed: INodeExecutionData[] = [];
			let next: string | null = `${url}/booking-services/partner/booking/1/100`;
			while (next) {
				const page = (await this.helpers.httpRequestWithAuthentication.call(this, CREDENTIAL, {
					url: next,
					json: true,
				})) as { next: string | null; results: IDataObject[] };
				for (const booking of page.results) {
					const id = booking.bookingID as number;
					const isCompleted = booking.bookingStatus === COMPLETED;
					if (!isFirst && isCompleted && statuses[id] !== COMPLETED) {
						completed.push({ json: booking });
					}
					statuses[id] = booking.bookingStatus;
				}
				({ next } = page);
			}
			return completed.length > 0 ? [completed] : null;
		},
	};
}

/** The state of our trigger says that its first scan is over. */
function isFirstScanOver(staticData: string): boolean {
	const [kept] = Object.values(JSON.parse(staticData) as Record<string, IDataObject>);
	const { text } = kept?.memory as { text: string };
	const { progress } = JSON.parse(text) as { progress: { isSwept: boolean } };
	return progress.isSwept;
}

/** A trigger node: n8n calls its poll and writes its static data as JSON. */
function triggerWatcher(
	engine: Engine,
	node: BenchNode,
	isOver: (staticData: string) => boolean,
): Watcher {
	const trigger = engine.polled(node);
	let stored = '';
	return {
		async poll() {
			const items = await trigger.poll();
			stored = trigger.staticData();
			return items.map(({ json }) => json);
		},
		isFirstScanOver: () => isOver(stored),
		bytesKept: async () => Buffer.byteLength(stored),
		close: async () => undefined,
	};
}

/** The workflow after a Schedule Trigger that reads all bookings and drops the completed ones it knows. */
function completedOnce(url: string): BenchWorkflow {
	const isCompleted = {
		leftValue: '={{ $json.bookingStatus }}',
		rightValue: COMPLETED,
		operator: { type: 'number', operation: 'equals' },
	};
	const conditions = {
		combinator: 'and',
		options: { caseSensitive: true, leftValue: '', typeValidation: 'strict', version: 2 },
		conditions: [isCompleted],
	};
	const removal = {
		operation: 'removeItemsSeenInPreviousExecutions',
		logic: 'removeItemsWithAlreadySeenKeyValues',
		dedupeValue: '={{ $json.bookingID }}-{{ $json.bookingStatus }}',
		options: { historySize: LARGE_HISTORY },
	};
	return {
		nodes: [
			httpRequest(allPages(url)),
			{
				name: 'Split',
				type: 'n8n-nodes-base.splitOut',
				parameters: { fieldToSplitOut: 'results', options: {} },
			},
			{ name: 'Completed', type: 'n8n-nodes-base.filter', parameters: { conditions } },
			{ name: 'New', type: 'n8n-nodes-base.removeDuplicates', parameters: removal },
		],
	};
}

async function scheduleWatcher(engine: Engine, workflow: BenchWorkflow): Promise<Watcher> {
	const history = await openHistory(engine.require);
	return {
		async poll() {
			// The row stands for the one item that a Schedule Trigger gives.
			const { items, error } = await engine.run(workflow, [{}]);
			if (error !== undefined) throw new Error(error);
			return items.map(({ json }) => json);
		},
		isFirstScanOver: () => true,
		bytesKept: async () => await history.bytes(),
		close: async () => await history.remove(),
	};
}

export async function watcherFor(engine: Engine, { watcher, url }: PollTask): Promise<Watcher> {
	switch (watcher) {
		case 'ours': {
			const parameters = { event: 'bookingCompleted' };
			const node = { name: 'Trigger', type: 'TractorBookingTrigger', parameters };
			return triggerWatcher(engine, node, isFirstScanOver);
		}
		case 'mapInStaticData': {
			engine.add('mapInStaticData', mapInStaticData(url));
			const node = { name: 'Trigger', type: 'mapInStaticData', parameters: {} };
			return triggerWatcher(engine, node, () => true);
		}
		case 'removeDuplicates':
			return await scheduleWatcher(engine, completedOnce(url));
	}
}
