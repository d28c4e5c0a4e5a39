import type { IDataObject } from 'n8n-workflow';

import { wordIn } from '../utils/text';

/**
 * The distance of a nearby tractor for comparison: a number as it is, one with a unit in kilometres. The interface does not
 * show the type of the field ("Nearby tractor").
 *
 * @returns undefined if there is no number, or one that cannot be compared (`2 mi`, -1)
 */
export function comparableDistance(tractor: IDataObject): number | undefined {
	const text = wordIn(tractor.distance);
	const [, number, unit] = /^(\d+(?:\.\d+)?) ?(km|m)?$/.exec(text) ?? [];
	return number === undefined ? undefined : Number(number) / (unit === 'm' ? 1_000 : 1);
}

/** The tractors, the nearest first; those whose distance cannot be compared come last. */
export function nearestFirst(tractors: readonly IDataObject[]): IDataObject[] {
	const rank = (tractor: IDataObject) => comparableDistance(tractor) ?? Number.MAX_VALUE;
	return tractors.toSorted((a, b) => rank(a) - rank(b));
}
