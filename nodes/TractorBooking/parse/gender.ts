import { invalid, type ParseResult } from './issue';
import { parseInteger } from './numbers';

/** Parses a gender: an integer; the interface does not say what it means ("Booking create request"). */
export function parseGender(value: unknown): ParseResult<number> {
	const integer = parseInteger(value);
	if (integer.ok) return integer;
	return invalid(
		'is not an integer',
		'write the integer that the service uses for it, or leave the gender out',
	);
}
