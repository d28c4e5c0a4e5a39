import { ok, unwrap, invalid, type ParseResult } from './issue';
import { memoize } from '../utils/memoizer';
import { cleanText } from '../utils/text';

/** Whether a text names the unit of a coordinate: `decimal degrees`. */
export const isDegrees = (text: string): boolean =>
	/^\s*(?:(?:decimal )?deg(?:rees)?\.?|decimal|°|dd|wgs ?84)\s*$/i.test(text);

/** The two halves of a coordinate. */
export type Axis = 'latitude' | 'longitude';

/** A place in decimal degrees; south and west are negative. */
export interface Position {
	latitude: number;
	longitude: number;
}

const AXES = {
	latitude: { limit: 90, positive: 'N', negative: 'S' },
	longitude: { limit: 180, positive: 'E', negative: 'W' },
} as const;

/**
 * Parses a coordinate in decimal degrees, or in degrees, minutes and seconds: 6.5244, `6,5244`, `6.5244° N`, `S 1.29`,
 * `6°31'28"N`. South and west are negative.
 * A single point or comma is always the decimal separator, since no coordinate reaches 1,000.
 */
export function parseCoordinate(value: unknown, axis: Axis): ParseResult<number> {
	const { limit, positive, negative } = AXES[axis];
	const degrees = typeof value === 'string' ? parseDegrees(cleanText(value), axis) : ok(value);
	if (!degrees.ok) return degrees;
	if (typeof degrees.value !== 'number' || !Number.isFinite(degrees.value)) return notACoordinate();
	if (Math.abs(degrees.value) > limit) {
		return invalid(
			`is not between -${limit} (${negative}) and ${limit} (${positive})`,
			'check the decimal point, and that latitude and longitude are not swapped',
		);
	}
	return ok(degrees.value + 0); // + 0 makes -0 a plain zero
}

const notACoordinate = (problem = 'is not a coordinate') =>
	invalid(problem, 'write decimal degrees, such as 6.5244');

const DECIMAL =
	/^([NSEWO])? ?([-+\u2212]?)(\d+(?:[.,]\d+)?(?:e-\d+)?|[.,]\d+) ?(?:°|º|deg(?:rees)?)? ?([NSEWO])?$/i;
/** Degrees with minutes, and with seconds or without: `6°31'28"N`, `6:31:28 N`, `S 1° 17.5'`. */
const SEXAGESIMAL =
	/^([NSEWO])? ?([-+\u2212]?)(\d{1,3}) ?(?:°|º|d|deg|:) ?(\d{1,2}(?:[.,]\d{1,9})?) ?(?:['’′m:] ?(?:(\d{1,2}(?:[.,]\d{1,9})?) ?(?:["”″s]|['’′]{2})?)?)? ?([NSEWO])?$/i;

function parseDegrees(text: string, axis: Axis): ParseResult<number> {
	const plain = DECIMAL.exec(text);
	const parts = plain ? undefined : SEXAGESIMAL.exec(text);
	if (!plain && !parts) return notACoordinate();
	const [before, sign = ''] = (plain ?? parts ?? []).slice(1);
	const after = plain?.[4] ?? parts?.[6];
	const numbers = (plain ? [plain[3]] : (parts?.slice(3, 6) ?? [])).map((digits = '0') =>
		Number(digits.replace(',', '.')),
	);
	const [degrees = 0, minutes = 0, seconds = 0] = numbers;
	if (minutes >= 60 || seconds >= 60) return notACoordinate('has 60 minutes or seconds, or more');
	const exact = degrees + minutes / 60 + seconds / 3_600;
	// Seconds leave no more than a centimetre.
	const number = plain ? exact : Math.round(exact * 1e7) / 1e7;
	const letter = (before ?? after)?.toUpperCase();
	const negated = sign !== '' && sign !== '+';
	if (letter === undefined) return ok(negated ? -number : number);

	const { positive, negative } = AXES[axis];
	if (letter === 'O' && axis === 'longitude') {
		return invalid('has an O, which may mean west or east', 'write W for west, or E for east');
	}
	if ((before && after) || (letter !== positive && letter !== negative) || negated) {
		return invalid(`is not a ${axis}`, `write ${positive} or ${negative} once, without a minus`);
	}
	return ok(letter === negative ? -number : number);
}

/** What may separate latitude and longitude, the surest first. */
const SEPARATORS = [
	/ ?[;|/] ?/,
	/(?<=[NSEWO])[ ,]+(?=[-+\u2212\d])/i,
	/[ ,] ?(?=[NSEWO] ?\d)/i,
	/, | ,/,
	/ /,
	/,/,
];

/** It means a missing coordinate; with other numbers, halves without decimals are not a position. */
const ZEROS = /^0 ?[,; ] ?0$/;

const LABELS = /\b(?:lat|long?|lng)(?:itude)?\b ?[:=]? ?/gi;

/** A place in the link of a map, the surest first: its pin, what was searched for, anything else. */
const LINKED = ['!3d(N)!4d', '[?&]q(?:uery)?=(?:loc:)?(N),[+ ]?', '(N),'].map(
	(pattern) => new RegExp(`${pattern}(N)`.replaceAll('N', String.raw`-?\d{1,3}\.\d+`)),
);

/** The latitude and the longitude in the link of a map; undefined for other texts, and for a route. */
function inLink(text: string): string[] | undefined {
	if (!/^(?:https?|geo):/i.test(text) || text.includes('/dir/')) return undefined;
	const link = text.replace(/%2c/gi, ',');
	return LINKED.map((pattern) => pattern.exec(link)?.slice(1)).find((place) => place);
}

/**
 * Parses latitude and longitude in one cell: `6.5244, 3.3792`, `6,5244 3,3792`, `3.38 E; 6.52 N`, a list, or as KoBo
 * and ODK write it, with altitude and accuracy: `7.37 3.94 0 0`; or the link of a map. Each half needs decimals or a
 * letter, since `6,52` is one number.
 */
export function parsePosition(value: unknown): ParseResult<Position> {
	if (Array.isArray(value)) return parseHalves(value.slice(0, 2), false);
	const cell = typeof value === 'string' ? cleanText(value) : '';
	const linked = inLink(cell);
	if (linked) return parseHalves(linked, false);
	const [label] = cell.match(LABELS) ?? [];
	const isExchanged = label !== undefined && /^lo?n/i.test(label);
	const text = cell.replace(LABELS, '').replace(/^[([{] ?| ?[)\]}]$/g, '');
	if (ZEROS.test(text)) return ok({ latitude: 0, longitude: 0 });
	let outOfRange: ParseResult<Position> | undefined;
	for (const separator of SEPARATORS) {
		const parts = text.split(separator);
		const halves = parts.slice(0, 2);
		const isWhole =
			parts.length === 2 ||
			(parts.length > 2 && parts.length < 5 && parts.every((part) => /^[-\d.]+$/.test(part)));
		if (!isWhole || !halves.every((half) => /\d[.,]\d|[NSEWO°]/i.test(half))) continue;
		const position = parseHalves(halves, isExchanged);
		if (position.ok) return position;
		if (halves.every((half) => DECIMAL.test(half))) outOfRange ??= position;
	}
	return (
		outOfRange ??
		invalid(
			'is not a latitude and a longitude',
			'write both in decimal degrees, such as 6.5244, 3.3792',
		)
	);
}

function parseHalves(halves: readonly unknown[], isLongitudeFirst: boolean): ParseResult<Position> {
	const [letter] = (typeof halves[0] === 'string' && /[NSEWO](?!-)/i.exec(halves[0])) || [];
	const isExchanged = letter === undefined ? isLongitudeFirst : /[EWO]/i.test(letter);
	const [first, second] = isExchanged ? [halves[1], halves[0]] : halves;
	const latitude = parseCoordinate(first, 'latitude');
	const longitude = parseCoordinate(second, 'longitude');
	if (!latitude.ok) return invalid(`has a latitude that ${latitude.problem}`, latitude.fix);
	if (!longitude.ok) return invalid(`has a longitude that ${longitude.problem}`, longitude.fix);
	return ok({ latitude: latitude.value, longitude: longitude.value });
}

/** A farm seems to be swapped if so many times more farms are near it once the two are exchanged. */
const MIN_RATIO = 4;

/**
 * Finds the positions that are far from most others, and near if latitude and longitude are exchanged.
 *
 * @returns for each position, whether it seems to be swapped; false for one that is not known
 */
export function findSwapped(positions: ReadonlyArray<Partial<Position>>): boolean[] {
	const farms = new Map<number, number>();
	const squareOf = (lat: number, lng: number) => Math.floor(lat) * 1_000 + Math.floor(lng);
	for (const { latitude = NaN, longitude = NaN } of positions) {
		const square = squareOf(latitude, longitude);
		farms.set(square, (farms.get(square) ?? 0) + 1);
	}
	const steps = [-1, 0, 1];
	/** Farms in a square degree and in those around it; many farms share one. */
	const aroundSquare = memoize((square: number) =>
		steps
			.flatMap((north) => steps.map((east) => farms.get(square + north * 1_000 + east) ?? 0))
			.reduce((sum, count) => sum + count, 0),
	);
	const around = (lat: number, lng: number) => aroundSquare(squareOf(lat, lng));
	return positions.map(
		({ latitude, longitude }) =>
			latitude !== undefined &&
			longitude !== undefined &&
			around(longitude, latitude) >= MIN_RATIO * around(latitude, longitude),
	);
}

/**
 * Parses latitude and longitude, in decimal degrees, from two fields of the node.
 *
 * @throws InvalidInputError
 */
export function parseCoordinates(latitude: unknown, longitude: unknown) {
	return {
		latitude: unwrap(parseCoordinate(latitude, 'latitude'), 'Latitude', latitude),
		longitude: unwrap(parseCoordinate(longitude, 'longitude'), 'Longitude', longitude),
	};
}
