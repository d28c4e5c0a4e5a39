import type { IDataObject } from 'n8n-workflow';

import { choice } from '../../methods/fields';
import { parseChoice } from '../../parse/choices';
import { dateParser, parseInstant } from '../../parse/dates';
import { unwrap } from '../../parse/issue';

const ORDERS = ['asListed', 'newest', 'earliestService', 'latestService'] as const;

/** The order of Booking > Get Many. The service sorts nothing, so the node does. */
export const orderOption = choice(
	'Sort By',
	'sortBy',
	'Another order than that of the service takes reading the whole list, also with a Limit',
	'asListed',
	[
		['As Listed by the Service', 'asListed'],
		['Newest First', 'newest', 'By the time of their creation'],
		['Service Date, Earliest First', 'earliestService'],
		['Service Date, Latest First', 'latestService'],
	],
);

/**
 * Sorts bookings; those without a readable date come last.
 *
 * @returns undefined if they stay as they are listed
 * @throws InvalidInputError if an expression returned none of the choices
 */
export function bookingOrder(
	sortBy: unknown,
	timezone: string,
): ((bookings: IDataObject[]) => IDataObject[]) | undefined {
	const order = unwrap(parseChoice(sortBy ?? 'asListed', ORDERS), 'Sort By', sortBy);
	if (order === 'asListed') return undefined;
	const parseDay = dateParser({ timezone });
	const instantOf = ({ createdAt, serviceDate }: IDataObject) => {
		if (order === 'newest') return parseInstant(createdAt, 'UTC');
		const day = parseDay(serviceDate);
		return day.ok ? parseInstant(day.value, 'UTC') : day;
	};
	const sign = order === 'earliestService' ? 1 : -1;
	const rankOf = (booking: IDataObject) => {
		const instant = instantOf(booking);
		return instant.ok ? sign * instant.value : Number.MAX_VALUE;
	};
	return (bookings) =>
		bookings
			.map((booking) => ({ booking, rank: rankOf(booking) }))
			.sort((a, b) => a.rank - b.rank)
			.map(({ booking }) => booking);
}
