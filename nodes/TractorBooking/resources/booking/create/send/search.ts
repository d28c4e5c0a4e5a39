import { pause } from '../../../../api/waits';
import type { ServiceClient } from '../../../../api/client';
import { ServiceError, toPlainError } from '../../../../api/errors';
import type { Bookings } from '../match/bookings';
import { groupBy } from '../../../../utils/groupBy';
import { fits, showsAll, type Candidate } from '../row/candidates';
import { alreadyBooked } from '../match/verdicts';
import type { RowMemory } from '../memory/memory';
import { SEARCH_DELAYS_MS } from '../memory/timing';
import type { Row } from '../row/row';
import { failureOf, NOTICES } from '../say/failures';
import { howBooked } from '../say/matches';
import { REMARKS } from '../row/sentences';

/** Why a row may be booked, or not: the failure of its request, or that another run may have sent it. */
export type WhyUnconfirmed = ServiceError | 'sent by another run';

export interface Tools {
	client: ServiceClient;
	bookings: Bookings;
	memory: RowMemory;
	warn: (text: string) => void;
}

/** Waits for what may fail without a row being lost: n8n's log says why. */
export async function warned<T>(
	{ warn }: Tools,
	text: string,
	work: Promise<T>,
): Promise<T | undefined> {
	return await work.catch((thrown: unknown) => {
		warn(`${text}: ${toPlainError(thrown).message}`);
		return undefined;
	});
}

/**
 * Searches the list for the bookings of rows that may be booked.
 *
 * @param unconfirmed the rows; the caller deletes each that is yielded
 * @returns the rows that were found; in the end the others, as unknown
 */
export async function* search(
	unconfirmed: ReadonlyMap<Row, WhyUnconfirmed>,
	tools: Tools,
): AsyncGenerator<[row: Row, done: Row]> {
	const { client } = tools;
	for (const ms of SEARCH_DELAYS_MS) {
		if (unconfirmed.size === 0 || !client.hasTimeFor(ms)) break;
		await pause(ms, client.signal);
		const finding = findArrived(unconfirmed, tools);
		// What cannot be read now may be read the next time.
		const found = await warned(tools, NOTICES.notSearched, finding);
		for (const [row, own] of found ?? []) {
			if (unconfirmed.get(row) instanceof ServiceError) {
				const remarks = [...(row.remarks ?? []), REMARKS.foundAfterLoss];
				yield [row, { ...row, result: 'created', booking: own.booking, remarks }];
			} else yield [row, alreadyBooked(row, howBooked.before(row, own), { own })];
		}
	}
	for (const [row, why] of unconfirmed) {
		const request = why instanceof ServiceError ? why : undefined;
		const failure = failureOf.unknown(row, request);
		yield [row, { ...row, result: 'unknown', failure }];
	}
}

/**
 * The bookings that have appeared in the list since rows were sent, and may be their own. If the list was not read before,
 * nothing tells which have.
 *
 * @throws ServiceError
 */
export async function arrivedFor(
	rows: readonly Row[],
	{ bookings, memory }: Tools,
): Promise<ReadonlyMap<Row, Candidate[]>> {
	const arrived = await bookings.arrivedFor(rows);
	const fitting = rows.map((row) => [row, (arrived.get(row) ?? []).filter(fits)] as const);
	// Another run may have made them meanwhile, for these rows or for others. What was booked is not looked up again: beside slow
	// removals, that leaves entries that say too much.
	await memory.look(
		fitting.flatMap(([row, some]) => some.flatMap(({ id }) => memory.facts.ofBooking(row, id))),
	);
	const own = fitting.map(
		([row, some]) => [row, some.filter(({ id }) => memory.mayBeOf(row, id))] as const,
	);
	return new Map(own.filter(([, some]) => some.length > 0));
}

/**
 * The rows of which one booking has appeared that n8n knows as theirs, or, if the request of this run got no response, that
 * is no other row's.
 *
 * @throws ServiceError
 */
async function findArrived(unconfirmed: ReadonlyMap<Row, WhyUnconfirmed>, tools: Tools) {
	const { memory } = tools;
	const { severalOfFarmerDay } = memory.facts;
	const arrived = await arrivedFor([...unconfirmed.keys()], tools);
	await memory.look([], [...arrived.keys()].map(severalOfFarmerDay));
	const single = [...arrived].filter(([row]) => !memory.knows(severalOfFarmerDay(row)));
	const fitting = single.map(([row, some]) => {
		const isLost = unconfirmed.get(row) instanceof ServiceError;
		const isIts = (one: Candidate) => (isLost ? showsAll(one) : memory.isOwn(row, one.id));
		return [row, some.filter(isIts)] as const;
	});
	const uses = groupBy(
		fitting.flatMap(([, some]) => some),
		({ id }) => id,
	);
	return fitting.flatMap(([row, [only, ...others]]) =>
		only && others.length === 0 && uses.get(only.id)?.length === 1 ? [[row, only] as const] : [],
	);
}
