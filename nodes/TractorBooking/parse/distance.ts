import type { IDataObject } from 'n8n-workflow';

import { asText, cleanText } from '../utils/text';

/** Fields of a nearby tractor with its distance or travel time (interface, "Nearby tractor"). */
export type Measure = 'distance' | 'minsAway';

/** Units that may follow a number, in kilometres and in minutes; without one, it is as it is. */
const UNITS: Readonly<Record<Measure, Readonly<Record<string, number>>>> = {
	distance: { '': 1, km: 1, kms: 1, kilometers: 1, kilometres: 1, m: 0.001 },
	minsAway: { '': 1, min: 1, mins: 1, minute: 1, minutes: 1, h: 60, hr: 60, hour: 60, hours: 60 },
};

/**
 * The distance or travel time of a tractor for comparison: a number as it is, one with a unit in kilometres or minutes.
 * The interface does not show the types of these fields.
 *
 * @returns undefined if there is no number, or one that cannot be compared (`1 hr 20 min`, -1)
 */
export function comparableDistance(tractor: IDataObject, measure: Measure): number | undefined {
	const text = cleanText(asText(tractor[measure])).toLowerCase();
	const [, number, unit = ''] = /^(\d+(?:\.\d+)?) ?([a-z]+)?\.?$/.exec(text) ?? [];
	const factor = new Map(Object.entries(UNITS[measure])).get(unit);
	return number === undefined || factor === undefined ? undefined : Number(number) * factor;
}

/** The tractors, the nearest first; those whose distance or travel time cannot be compared come last. */
export function nearestFirst(tractors: readonly IDataObject[], measure: Measure): IDataObject[] {
	const rank = (tractor: IDataObject) => comparableDistance(tractor, measure) ?? Infinity;
	// Equal ranks return 0, because Infinity - Infinity is NaN.
	return [...tractors].sort((a, b) => (rank(a) === rank(b) ? 0 : rank(a) - rank(b)));
}
