import { ok, unwrap, invalid, type ParseResult } from './issue';
import { cleanText } from '../utils/text';

/** The two halves of a coordinate. */
export type Axis = 'latitude' | 'longitude';

const AXES = {
	latitude: { limit: 90, positive: 'N', negative: 'S' },
	longitude: { limit: 180, positive: 'E', negative: 'W' },
} as const;

/**
 * Parses a coordinate in decimal degrees: 6.5244, `6,5244`, `6.5244° N`, `S 1.29`. South and west are negative.
 * A single point or comma is always the decimal separator, since no coordinate reaches 1,000.
 * Degrees with minutes, and two coordinates in one cell, are rejected.
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

const notACoordinate = () =>
	invalid('is not a coordinate', 'write decimal degrees, such as 6.5244');

function parseDegrees(text: string, axis: Axis): ParseResult<number> {
	const single =
		/^([NSEW])? ?([-+\u2212]?)(\d+(?:[.,]\d+)?(?:e-\d+)?|[.,]\d+) ?(?:°|º|deg(?:rees)?)? ?([NSEW])?$/i.exec(
			text,
		);
	if (!single) return invalidDegrees(text);
	const [, before, sign = '', digits = '', after] = single;
	const number = Number(digits.replace(',', '.'));
	const letter = (before ?? after)?.toUpperCase();
	const negated = sign !== '' && sign !== '+';
	if (letter === undefined) return ok(negated ? -number : number);

	const { positive, negative } = AXES[axis];
	if ((before && after) || (letter !== positive && letter !== negative) || negated) {
		return invalid(`is not a ${axis}`, `write ${positive} or ${negative} once, without a minus`);
	}
	return ok(letter === negative ? -number : number);
}

function invalidDegrees(text: string): ParseResult<number> {
	if (/\d\s*°\s*\d|\d\s*['’′]/.test(text)) {
		return invalid('is in degrees and minutes', 'write decimal degrees, such as 6.5244');
	}
	if (/\d[.,]*°? ?[NSEW]?(?:[,;/] ?| )[NSEW]? ?[-+\u2212]?\d/i.test(text)) {
		return invalid(
			'looks like latitude and longitude in one cell',
			'write each of the two in a column of its own',
		);
	}
	return notACoordinate();
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
