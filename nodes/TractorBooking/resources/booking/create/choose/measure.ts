import type { IDataObject } from 'n8n-workflow';

import type { BookingRequest } from '../../../../api/types';
import { parseCoordinate } from '../../../../parse/coordinates';
import { comparableDistance } from '../../../../parse/distance';
import type { ParsedRow } from '../row';

/** Kilometres between a farm and the position of a tractor, near enough to compare; undefined if unreadable. */
function kilometresTo(tractor: IDataObject, { latitude = 0, longitude = 0 }: BookingRequest) {
	const north = parseCoordinate(tractor.PositionLatitude, 'latitude');
	const east = parseCoordinate(tractor.PositionLongitude, 'longitude');
	if (!north.ok || !east.ok) return undefined;
	const shrink = Math.cos((latitude * Math.PI) / 180);
	return 111.2 * Math.hypot(north.value - latitude, (east.value - longitude) * shrink);
}

const MEASURES = ['distance', 'minsAway', 'position'] as const;

/** How a measure is named in the reason. */
export const BY = { distance: '', minsAway: ', by minutes', position: ', by position' };

/** A way to say how far tractors are away. */
export interface Measure {
	measure: (typeof MEASURES)[number];
	/** How far a tractor is away; undefined if it cannot be read. */
	awayOf: (tractor: IDataObject) => number | undefined;
}

/**
 * How far tractors are from a farm: by distance; by minutes or position if more of them can be read. The service's own
 * order says nothing.
 *
 * @returns undefined if it cannot be read of any tractor
 */
export function measureFor(
	{ request, settings }: ParsedRow,
	nearby: readonly IDataObject[],
): Measure | undefined {
	// A maximum distance can be compared with nothing else.
	const measures = settings.maximumDistance === undefined ? MEASURES : MEASURES.slice(0, 1);
	const ways = measures.map((measure) => {
		const awayOf = (tractor: IDataObject) =>
			measure === 'position'
				? kilometresTo(tractor, request)
				: comparableDistance(tractor, measure);
		const readable = nearby.filter((tractor) => awayOf(tractor) !== undefined).length;
		return { measure, awayOf, readable };
	});
	const [best] = ways.sort((a, b) => b.readable - a.readable);
	return best?.readable ? best : undefined;
}
