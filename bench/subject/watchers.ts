import type { IDataObject, INodeParameters } from 'n8n-workflow';

import type { PollTask } from '../task';
import type { BenchNode, BenchWorkflow, Engine } from './engine';
import { openHistory } from './history';
import { allPages, http, splitOut } from './works';

/** Someone who reads the bookings at every poll and tells which were completed. */
export interface Watcher {
	/** One poll, with all that n8n does to keep what is to be remembered; throws what it fails with. */
	poll(): Promise<IDataObject[]>;
	/** Whether all bookings were read once. */
	isFirstScanOver(): boolean;
	/** Bytes that are kept in n8n's database. */
	bytesKept(): Promise<number>;
	close(): Promise<void>;
}

/** History size of Remove Duplicates that no list here fills. */
const LARGE_HISTORY = 10_000_000;

/** Whether the memory of our trigger says that its first scan is over. */
function isBaselineOver(staticData: string): boolean {
	const [kept] = Object.values(JSON.parse(staticData) as Record<string, IDataObject>);
	const { text } = kept?.memory as { text: string };
	const { progress } = JSON.parse(text) as { progress: { baseline: boolean } };
	return !progress.baseline;
}

/** A trigger node: n8n calls its poll and writes its static data as JSON. */
function triggerWatcher(
	engine: Engine,
	node: BenchNode,
	isOver: (data: string) => boolean,
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

/** The workflow behind a Schedule Trigger that reads all bookings and drops the completed ones it knows. */
function completedOnce(url: string, options: INodeParameters): BenchWorkflow {
	const isCompleted = {
		leftValue: '={{ $json.bookingStatus }}',
		rightValue: 3,
		operator: { type: 'number', operation: 'equals' },
	};
	const nodes: BenchNode[] = [
		http('Read', allPages(url)),
		splitOut('Split'),
		{
			name: 'Completed',
			type: 'n8n-nodes-base.filter',
			parameters: {
				conditions: {
					combinator: 'and',
					options: { caseSensitive: true, leftValue: '', typeValidation: 'strict', version: 2 },
					conditions: [isCompleted],
				},
			},
		},
		{
			name: 'New',
			type: 'n8n-nodes-base.removeDuplicates',
			parameters: {
				operation: 'removeItemsSeenInPreviousExecutions',
				logic: 'removeItemsWithAlreadySeenKeyValues',
				dedupeValue: '={{ $json.bookingID }}-{{ $json.bookingStatus }}',
				options,
			},
		},
	];
	const names = nodes.map(({ name }) => name);
	return {
		nodes,
		connections: names.slice(1).map((name, index) => [names[index] ?? '', name]),
		last: 'New',
	};
}

async function scheduleWatcher(engine: Engine, workflow: BenchWorkflow): Promise<Watcher> {
	const history = await openHistory(engine.require);
	return {
		async poll() {
			// The rows stand for the one item that a Schedule Trigger gives.
			const { items, error } = await engine.run(workflow, [{}]);
			if (error !== undefined) throw new Error(error);
			return items.map(({ json }) => json);
		},
		isFirstScanOver: () => true,
		bytesKept: async () => await history.bytes(),
		close: async () => await history.remove(),
	};
}

/** Sets up the peer of a task. */
export async function watcherFor(engine: Engine, { peer, url }: PollTask): Promise<Watcher> {
	switch (peer) {
		case 'ours': {
			const parameters = { event: 'bookingCompleted' };
			const node = { name: 'Trigger', type: 'ourTrigger', parameters };
			return triggerWatcher(engine, node, isBaselineOver);
		}
		case 'mapInStaticData': {
			const node = { name: 'Trigger', type: 'mapInStaticData', parameters: {} };
			return triggerWatcher(engine, node, () => true);
		}
		case 'removeDuplicates':
			return await scheduleWatcher(engine, completedOnce(url, { historySize: LARGE_HISTORY }));
		case 'removeDuplicatesDefault':
			return await scheduleWatcher(engine, completedOnce(url, {}));
	}
}
