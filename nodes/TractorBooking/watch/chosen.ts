import type { IDataObject } from 'n8n-workflow';

import type { BookingKey } from './entries';
import type { Memory } from './memory';
import type { Progress } from './progress';
import type { BudgetedReader } from './reader';
import { CUT } from './reader';
import { isSettled } from './record';
import type { Repeats } from './told';

/** What the reading of chosen bookings works with. */
export interface ChosenScan {
	reader: BudgetedReader;
	/** Reads one booking; undefined where the service does not know it. Throws ServiceError. */
	readBooking: (key: BookingKey) => Promise<IDataObject | undefined>;
	memory: Memory;
	progress: Progress;
	chosen: readonly BookingKey[];
	/** Whether a booking is not read again once it is completed or declined. */
	dropSettled: boolean;
	/** Events that are told again as soon as their bookings are read. */
	repeats: Repeats;
	visit: (bookings: IDataObject[]) => void;
}

/**
 * Reads the chosen bookings one by one, each at most once, starting where the last poll had to stop. The
 * baseline ends when each of them was asked for.
 *
 * @returns the bookings that the service does not know
 * @throws ServiceError
 */
export async function readChosen(scan: ChosenScan): Promise<BookingKey[]> {
	const { chosen, memory, progress, reader } = scan;
	const unknown: BookingKey[] = [];
	const from = progress.chosenRead % Math.max(chosen.length, 1);
	for (let read = 0; read < chosen.length; read++) {
		const at = (from + read) % chosen.length;
		const key = chosen[at] ?? '';
		const known = memory.get(key);
		const isAtRest = known && !known.stale && isSettled(known.status) && !scan.repeats.has(key);
		const isDropped = scan.dropSettled && isAtRest;
		if (!isDropped) {
			const booking = await reader.read(async () => await scan.readBooking(key));
			if (booking === CUT) return unknown;
			if (booking) scan.visit([booking]);
			else unknown.push(key);
		}
		progress.chosenRead = at + 1;
		if (progress.chosenRead === chosen.length) progress.baseline = false;
	}
	return unknown;
}
