import { randomUUID } from 'node:crypto';

import type { BookingId } from '../../../../api/records';
import { asText } from '../../../../utils/text';
import { denialOf } from '../row/bookingAnswer';
import { jobKey, keyOf } from '../row/job';
import { otherCellsText } from '../row/typed';
import type { Row } from '../row/row';

/**
 * The entries that stand for a fact. Only the last says something, and each is asked for only if the one before it is there:
 * a look briefly records what it does not find, so other runs may see the first one.
 */
export type Chain = readonly string[];

/** A process that dies during a look leaves one entry, so a fact takes two. */
const confirmed = (entry: string): readonly [string, string] => [entry, `${entry} for sure`];

/** The entry that says that a fact is so. */
export const proofOf = (chain: Chain): string => chain.at(-1) ?? '';

/**
 * All that n8n remembers of rows and of bookings, by what it means.
 *
 * @param baseUrl each entry begins with it: staging is not production
 */
export function factsOf(baseUrl: string) {
	const headOf = (row: Row) => `${baseUrl} ${keyOf(row)}`;
	const headOfJob = ({ job }: Row) => `${baseUrl} ${jobKey(job)}`;
	const facts = {
		headOf,

		// In the row of the node
		/** A row with this key was booked. */
		booked: (row: Row): Chain => [headOf(row), ...confirmed(`${headOf(row)} booked`)],
		/** A row with this key was booked that denied the same bookings, if any. */
		bookedAsAnswered: (row: Row): Chain => [
			...facts.booked(row),
			...(row.denied.length > 0 ? confirmed(`${headOf(row)} ${denialOf(row.denied)}`) : []),
		],
		/** A row with this job was booked, by whatever key and with whatever other cells. */
		bookedJob: (row: Row): Chain => confirmed(headOfJob(row)),
		/** A row with this job and the same other cells was booked, by whatever key. */
		bookedAsTyped: (row: Row): Chain => [
			...facts.bookedJob(row),
			...confirmed(`${headOfJob(row)} typed ${otherCellsText(row)}`),
		],
		/** A Row ID was booked with this day, and this phone or name: either may be corrected. None without a Row ID. */
		farmersOfRowId(row: Row): Chain[] {
			if (row.rowId === undefined) return [];
			const { farmerName, farmerPhone, serviceDate } = row.job;
			const day = asText(serviceDate?.[0]);
			const of = (what: string, value: string | undefined) =>
				value === undefined ? [] : [`of ${what} ${value} on ${day}`];
			const known = [...of('phone', farmerPhone), ...of('name', farmerName)];
			return (known.length > 0 ? known : [`on ${day}`]).map((text) => [
				headOf(row),
				...confirmed(`${headOf(row)} ${text}`),
			]);
		},
		/** All that is remembered of a row that is booked, but its booking. */
		ofRow: (row: Row): Chain[] => [
			facts.bookedAsAnswered(row),
			facts.bookedAsTyped(row),
			...facts.farmersOfRowId(row),
		],
		/** A booking is that of some row with a Row ID; of one without. */
		takenByRowId: (id: BookingId): Chain => confirmed(`${baseUrl} taken by Row ID ${id}`),
		takenByJob: (id: BookingId): Chain => confirmed(`${baseUrl} taken ${id}`),
		/** A booking is that of the row. */
		own: (row: Row, id: BookingId): Chain => [
			...(row.rowId === undefined ? facts.takenByJob(id) : facts.takenByRowId(id)),
			...confirmed(`${headOf(row)} is ${id}`),
		],
		/** Whether a booking is that of the row, and that of some row. */
		ofBooking: (row: Row, id: BookingId): Chain[] => [facts.own(row, id), ...facts.takenBy(id)],
		takenBy: (id: BookingId): Chain[] => [facts.takenByRowId(id), facts.takenByJob(id)],

		// In the row of the workflow
		/** A row with this key was sent, or was about to be. */
		sent: (row: Row) => confirmed(`${headOf(row)} sent`),
		/** A run has claimed this key for a slot. */
		claimed: (row: Row, slot: number): string => `${headOf(row)} claim ${slot}`,
		/** Of one claim, to see whether another worker has written over it. */
		mark: (): string => `${baseUrl} mark ${randomUUID()}`,
	};
	return facts;
}

export type Facts = ReturnType<typeof factsOf>;
