import type { IDataObject } from 'n8n-workflow';

import { ServiceError } from '../../api/errors';
import type { BookingKey } from '../bookings';
import type { Memory } from '../memory';
import type { Progress } from './progress';
import type { BudgetedReader } from './budgetedReader';
import { CUT } from './budgetedReader';
import { isFinal } from '../bookings';
import type { ReplayQueue } from '../replay';

/** What the reading of chosen bookings works with. */
export interface ChosenScan {
	reader: BudgetedReader;
	memory: Memory;
	progress: Progress;
	chosen: readonly BookingKey[];
	/** Whether a booking is not read again once it is completed or declined. */
	skipFinished: boolean;
	/** Whether a poll that ends before anything could be read is kept, so that the next one begins behind. */
	salvages?: boolean;
	/** Events that are told again as soon as their bookings are read. */
	repeats: ReplayQueue;
	visit: (bookings: IDataObject[]) => void;
	/** Tells the operator something. */
	warn: (text: string) => void;
}

/**
 * Reads the chosen bookings one by one, each at most once, starting where the last poll had to stop. One that
 * cannot be read does not keep the others from being read. The baseline ends with a round over all of them
 * without such a one.
 *
 * @throws ServiceError where not even one of those asked for could be read
 */
export async function scanBookingsById(scan: ChosenScan): Promise<void> {
	const { chosen, memory, progress, reader } = scan;
	const failures: ServiceError[] = [];
	let answers = 0;
	let isCut = false;
	const from = progress.chosenRead % Math.max(chosen.length, 1);
	for (let read = 0; read < chosen.length; read++) {
		const at = (from + read) % chosen.length;
		const key = chosen[at] ?? '';
		const known = memory.get(key);
		const isAtRest = known && !known.stale && isFinal(known.status) && !scan.repeats.has(key);
		const isDropped = scan.skipFinished && isAtRest;
		if (!isDropped) {
			const booking = await reader.booking(key);
			isCut = booking === CUT;
			if (booking === CUT) break;
			if (booking instanceof ServiceError) {
				if (booking.kind === 'rateLimited') throw booking;
				failures.push(booking);
			} else scan.visit([booking]);
			// That a booking is unknown is an answer, too.
			if (booking instanceof ServiceError && booking.kind !== 'notFound') {
				progress.chosenFailed = true;
			} else answers += 1;
		}
		progress.chosenRead = at + 1;
		if (progress.chosenRead < chosen.length) continue;
		progress.baseline &&= progress.chosenFailed === true;
		progress.chosenFailed = undefined;
	}
	const [failure] = failures;
	if (failure && answers === 0 && !(isCut && scan.salvages)) throw failure;
	if (failure) scan.warn(failures.map(({ message }) => message).join('. '));
}
