import type { Point } from './growth';
import type { Load } from './loads';
import type { Watching } from './polls';
import type { StartCost } from './start';
import type { Summary } from './statistics';

/** Where a bench ran. */
export interface Machine {
	/** Version of n8n, of its Node.js, and processor cores. */
	n8n: string;
	node: string;
	cores: number;
}

/** What each part of the bench found out, by the part's name; the loads have their own. */
export interface Parts {
	returnAll: LoadResult;
	details: LoadResult;
	create: LoadResult;
	nearby: LoadResult;
	memory: LoadResult;
	start: { ours: StartCost; axios: StartCost };
	growth: Point[];
	polls: Watching[];
}

export interface LoadResult {
	load: Load;
	summaries: Summary[];
}

export type PartName = keyof Parts;

/** The parts of the bench, in the order in which they are run and shown. */
export const PARTS: readonly PartName[] = [
	'returnAll',
	'details',
	'create',
	'nearby',
	'memory',
	'polls',
	'start',
	'growth',
];

/** Everything that runs of the bench found out. */
export interface Results {
	machine: Machine;
	parts: Partial<Parts>;
}

/** The results of all parts. */
export interface AllResults extends Results {
	parts: Parts;
}

/** New results, and those of earlier runs on the same machine for the parts that were not run. */
export function merge(earlier: Results | undefined, { machine, parts }: Results): Results {
	const isSame = JSON.stringify(earlier?.machine) === JSON.stringify(machine);
	return { machine, parts: isSame ? { ...earlier?.parts, ...parts } : parts };
}

export function hasAllParts(results: Results): results is AllResults {
	return PARTS.every((part) => results.parts[part] !== undefined);
}
