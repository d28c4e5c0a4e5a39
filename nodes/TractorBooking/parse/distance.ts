import type { IDataObject } from 'n8n-workflow';

import { asText, cleanText } from '../utils/text';

/** Units that may follow a number, in kilometres; without one, it is as it is. */
const UNITS = new Map(
	Object.entries({ '': 1, km: 1, kms: 1, kilometers: 1, kilometres: 1, m: 0.001 }),
);

/**
 * The distance of a nearby tractor for comparison: a number as it is, one with a unit in kilometres. The interface does not
 * show the type of the field ("Nearby tractor").
 *
 * @returns undefined if there is no number, or one that cannot be compared (`2 mi`, -1)
 */
export function comparableDistance(tractor: IDataObject): number | undefined {
	const text = cleanText(asText(tractor.distance)).toLowerCase();
	const [, number, unit = ''] = /^(\d+(?:\.\d+)?) ?([a-z]+)?\.?$/.exec(text) ?? [];
	const factor = UNITS.get(unit);
	return number === undefined || factor === undefined ? undefined : Number(number) * factor;
}

/** The tractors, the nearest first; those whose distance cannot be compared come last. */
export function nearestFirst(tractors: readonly IDataObject[]): IDataObject[] {
	return tractors
		.map((tractor) => ({ tractor, rank: comparableDistance(tractor) ?? Number.MAX_VALUE }))
		.sort((a, b) => a.rank - b.rank)
		.map(({ tractor }) => tractor);
}
