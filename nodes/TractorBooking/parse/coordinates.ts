import { ok, unwrap, invalid, type ParseResult } from './issue';
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

/** Decimal degrees in text without letters, with a point. */
const DECIMAL = /^([-+]?)(\d+(?:\.\d+)?(?:e-\d+)?) ?(?:°|deg(?:rees)?)?$/i;

const notACoordinate = () =>
	invalid('is not a coordinate', 'write decimal degrees, such as 6.5244');

const plainSigns = (text: string): string =>
	cleanText(text)
		.replace(/\u2212/g, '-')
		.replace(/º/g, '°');

/**
 * Parses a coordinate in decimal degrees: 6.5244, `6,5244`, `6.5244° N`, `S 1.29`. South and west are negative.
 * A single point or comma is always the decimal separator, since no coordinate reaches 1,000.
 */
export function parseCoordinate(value: unknown, axis: keyof Position): ParseResult<number> {
	const degrees = typeof value === 'string' ? parseDegrees(plainSigns(value), axis) : ok(value);
	if (!degrees.ok) return degrees;
	if (typeof degrees.value !== 'number' || !Number.isFinite(degrees.value)) return notACoordinate();
	const { limit, positive, negative } = AXES[axis];
	return Math.abs(degrees.value) <= limit
		? ok(degrees.value + 0) // + 0 makes -0 a plain zero
		: invalid(
				`is not between -${limit} (${negative}) and ${limit} (${positive})`,
				'check the decimal point, and that latitude and longitude are not exchanged',
			);
}

function parseDegrees(text: string, axis: keyof Position): ParseResult<number> {
	const [before] = /^[NSEW]/i.exec(text) ?? [];
	const [after] = /[NSEW]$/i.exec(text) ?? [];
	const digits = text.replace(/^[NSEW] ?| ?[NSEW]$/gi, '').replace(/(?<=\d),(?=\d)/g, '.');
	const [, sign, degrees] = DECIMAL.exec(digits) ?? [];
	if (degrees === undefined) return notACoordinate();
	const letter = (before ?? after)?.toUpperCase();
	const { positive, negative } = AXES[axis];
	if (letter === undefined) return ok(Number(degrees) * (sign === '-' ? -1 : 1));
	return (before && after) || ![positive, negative].some((own) => own === letter) || sign === '-'
		? invalid('has a wrong letter or sign', `write ${positive} or ${negative} without a minus`)
		: ok(Number(degrees) * (letter === negative ? -1 : 1));
}

const IS_HALF = /\d[.,]\d|[NSEW°]/i;

/** What separates latitude and longitude, the surest first: only one of them leaves two coordinates. */
const SEPARATORS = [/ ?[;/] ?/, /, | ,/, / (?=[NSEW] ?\d)/i, /(?<=[NSEW]) /i, / /, /,/];

/**
 * Parses latitude and longitude in one cell: `6.5244, 3.3792`, `6,5244 3,3792`, `6.52 N; 3.38 E`, a point of GeoJSON, or
 * as KoBo and ODK write it, with altitude and accuracy: `7.37 3.94 0 0`. Each half of a text needs decimals or a
 * letter, since `6,52` is one number.
 */
export function parsePosition(value: unknown): ParseResult<Position> {
	// GeoJSON has the longitude first.
	if (isRecord(value) && value.type === 'Point' && Array.isArray(value.coordinates))
		return parseHalves(value.coordinates[1], value.coordinates[0]);
	const cell = typeof value === 'string' ? plainSigns(value) : '';
	const [, geopoint = cell] = /^(-?[\d.]+ -?[\d.]+) -?[\d.]+ [\d.]+$/.exec(cell) ?? [];
	const text = geopoint.replace(/^[([] ?| ?[)\]]$/g, '');
	// A missing coordinate, which has no decimals; with other numbers, such halves are no position.
	if (/^0 ?[, ] ?0$/.test(text)) return ok({ latitude: 0, longitude: 0 });
	const places = SEPARATORS.map((separator) => text.split(separator))
		.filter((halves) => halves.length === 2 && halves.every((half) => IS_HALF.test(half)))
		.map(([one, other]) => parseHalves(one, other));
	return (
		places.find((place) => place.ok) ??
		places.find((place) => !place.ok && !place.problem.endsWith('not a coordinate')) ??
		invalid('is not a latitude and a longitude', 'write both in degrees, such as 6.5244, 3.3792')
	);
}

function parseHalves(first: unknown, second: unknown): ParseResult<Position> {
	const latitude = parseCoordinate(first, 'latitude');
	const longitude = parseCoordinate(second, 'longitude');
	if (!latitude.ok)
		return invalid(`has a latitude that ${latitude.problem}`, `${latitude.fix}; write it first`);
	if (!longitude.ok) return invalid(`has a longitude that ${longitude.problem}`, longitude.fix);
	return ok({ latitude: latitude.value, longitude: longitude.value });
}

/** Slips that move a farm far away. */
const SLIPS = {
	'latitude and longitude exchanged': (lat: number, lng: number) => [lng, lat],
	'another sign of the latitude': (lat: number, lng: number) => [-lat, lng],
	'another sign of the longitude': (lat: number, lng: number) => [lat, -lng],
} as const;

/** A farm seems to be a slip if this many times more farms are near it once that is undone. */
const MIN_RATIO = 4;

/** For each position that is far from most others, and near them once a slip is undone, that slip. */
export function findSlips(positions: ReadonlyArray<Partial<Position>>) {
	const farms = new Map<number, number>();
	const squareOf = (lat = NaN, lng = NaN) => Math.floor(lat) * 1_000 + Math.floor(lng);
	for (const { latitude, longitude } of positions) {
		const square = squareOf(latitude, longitude);
		farms.set(square, (farms.get(square) ?? 0) + 1);
	}
	const steps = [-1, 0, 1].flatMap((north) => [-1, 0, 1].map((east) => north * 1_000 + east));
	/** Farms in a square degree and in those around it. */
	const around = (square: number) =>
		steps.reduce((sum, step) => sum + (farms.get(square + step) ?? 0), 0);
	const slips = Object.keys(SLIPS) as Array<keyof typeof SLIPS>;
	return positions.map(({ latitude = NaN, longitude = NaN }) =>
		slips.find((slip) => {
			const undone = around(squareOf(...SLIPS[slip](latitude, longitude)));
			return undone >= MIN_RATIO * around(squareOf(latitude, longitude));
		}),
	);
}

/** Latitude and longitude from two fields of the node. @throws InvalidInputError */
export function parseCoordinates(latitude: unknown, longitude: unknown) {
	return {
		latitude: unwrap(parseCoordinate(latitude, 'latitude'), 'Latitude', latitude),
		longitude: unwrap(parseCoordinate(longitude, 'longitude'), 'Longitude', longitude),
	};
}
