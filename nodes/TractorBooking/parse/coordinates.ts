import { ok, unwrap, type ParseResult } from './issue';
import { invalid } from './sentences';
import { groupBy } from '../utils/groupBy';
import { cleanText, isRecord } from '../utils/text';

/** Whether a text names the unit of a coordinate: `decimal degrees`. */
export const isDegrees = (text: string): boolean =>
	/^\s*(?:(?:decimal )?deg(?:rees)?\.?|decimal|°|dd|wgs ?84)\s*$/i.test(text);

/** A place in decimal degrees; south and west are negative. */
export interface Position {
	latitude: number;
	longitude: number;
}

const AXES = {
	latitude: { limit: 90, positive: 'N', negative: 'S' },
	longitude: { limit: 180, positive: 'E', negative: 'W' },
} as const;

const DEGREES = /^([NSEW]?) ?([-+]?)(\d+(?:[.,]\d+)?(?:e-\d+)?) ?(?:°|deg(?:rees)?)? ?([NSEW]?)$/i;

const plainSigns = (text: string): string =>
	cleanText(text)
		.replace(/\u2212/g, '-')
		.replace(/º/g, '°');

/**
 * Parses a coordinate in decimal degrees: 6.5244, `6,5244`, `6.5244° N`, `S 1.29`. South and west are negative.
 * A single point or comma is always the decimal separator, since no coordinate reaches 1,000.
 */
export function parseCoordinate(value: unknown, axis: keyof Position): ParseResult<number> {
	const { limit, positive, negative } = AXES[axis];
	const isScalar = typeof value === 'number' || typeof value === 'string';
	const [, before = '', sign, digits, after = ''] =
		DEGREES.exec(isScalar ? plainSigns(`${value}`) : '') ?? [];
	if (digits === undefined) return invalid('coordinate');
	const letter = (before + after).toUpperCase();
	if (letter && (sign === '-' || (letter !== positive && letter !== negative)))
		return invalid('coordinateLetter', positive, negative);
	const isNegative = sign === '-' || letter === negative;
	const degrees = Number(digits.replace(',', '.')) * (isNegative ? -1 : 1);
	if (Math.abs(degrees) <= limit) return ok(degrees + 0); // + 0 makes -0 a plain zero
	return invalid('beyondPole', `-${limit} (${negative})`, `${limit} (${positive})`);
}

/** Latitude and longitude, each with decimals and maybe a letter; KoBo and ODK write altitude and accuracy after them. */
const POSITION = (() => {
	const degrees = '[-+]?\\d+[.,]\\d+ ?°?';
	const half = `([NSEW] ?${degrees}|${degrees} ?[NSEW]?)`;
	return new RegExp(`^\\(?${half} ?[,;/ ] ?${half}(?: -?[\\d.]+ [\\d.]+)?\\)?$`, 'i');
})();

/**
 * Parses latitude and longitude in one cell: `6.5244, 3.3792`, `6,5244 3,3792`, `6.52 N; 3.38 E`, a point of GeoJSON or
 * KoBo. Each half of a text needs decimals, since `6,52` is one number.
 */
export function parsePosition(value: unknown): ParseResult<Position> {
	// GeoJSON has the longitude first.
	if (isRecord(value) && value.type === 'Point' && Array.isArray(value.coordinates))
		return parseHalves(value.coordinates[1], value.coordinates[0]);
	const [, first, second] = POSITION.exec(typeof value === 'string' ? plainSigns(value) : '') ?? [];
	if (first !== undefined) return parseHalves(first.trim(), second?.trim());
	return invalid('position');
}

function parseHalves(first: unknown, second: unknown): ParseResult<Position> {
	const latitude = parseCoordinate(first, 'latitude');
	const longitude = parseCoordinate(second, 'longitude');
	if (!latitude.ok) return invalid('latitudeOf', latitude);
	if (!longitude.ok) return invalid('longitudeOf', longitude);
	return ok({ latitude: latitude.value, longitude: longitude.value });
}

/** Mistakes that move a farm far away, and what undoes them. */
const MISTAKES: Record<string, (latitude: number, longitude: number) => [number, number]> = {
	'latitude and longitude swapped': (latitude, longitude) => [longitude, latitude],
	"the latitude's sign changed": (latitude, longitude) => [-latitude, longitude],
	"the longitude's sign changed": (latitude, longitude) => [latitude, -longitude],
};

/** A farm seems misplaced if this many times more farms are near it once a mistake is undone. */
const MIN_RATIO = 3;

/** For each position that is far from most others, and near them once a mistake is undone, that mistake. */
export function findCoordinateMistakes(
	positions: ReadonlyArray<Partial<Position>>,
): Array<string | undefined> {
	const squareOf = (latitude = NaN, longitude = NaN) =>
		Math.floor(latitude) * 1_000 + Math.floor(longitude);
	const farms = groupBy(positions, ({ latitude, longitude }) => squareOf(latitude, longitude));
	const steps = [-1, 0, 1].flatMap((north) => [-1, 0, 1].map((east) => north * 1_000 + east));
	/** Farms in a square degree and in those around it. */
	const around = (square: number) =>
		steps.reduce((sum, step) => sum + (farms.get(square + step)?.length ?? 0), 0);
	return positions.map(({ latitude = NaN, longitude = NaN }) => {
		const here = around(squareOf(latitude, longitude));
		return Object.entries(MISTAKES).find(
			([, undo]) => around(squareOf(...undo(latitude, longitude))) >= MIN_RATIO * here,
		)?.[0];
	});
}

/** Latitude and longitude from two fields of the node. @throws InvalidInputError */
export function parseCoordinates(latitude: unknown, longitude: unknown) {
	return {
		latitude: unwrap(parseCoordinate(latitude, 'latitude'), 'Latitude', latitude),
		longitude: unwrap(parseCoordinate(longitude, 'longitude'), 'Longitude', longitude),
	};
}
