import type { IDataObject } from 'n8n-workflow';

import { ServiceError } from '../../api/errors';
import type { BookingKey } from '../bookings';
import type { Progress } from './progress';
import type { Reader } from './reader';
import { unlessSpent } from './reader';

/** What the reading of specific bookings works with. */
export interface ScanById {
	reader: Reader;
	progress: Progress;
	chosen: readonly BookingKey[];
	/** Whether a booking need not be read any more. */
	isDone: (key: BookingKey) => boolean;
}

/**
 * Reads the specific bookings one by one, each at most once, starting where the last poll had to stop. One that
 * cannot be read does not keep the others from being read. The first scan ends with a round over all of them
 * without such a one.
 */
export async function* scanById({
	reader,
	progress,
	chosen,
	isDone,
}: ScanById): AsyncGenerator<IDataObject[], void, undefined> {
	const from = progress.chosenRead % Math.max(chosen.length, 1);
	for (let read = 0; read < chosen.length; read++) {
		const at = (from + read) % chosen.length;
		const key = chosen[at] ?? '';
		if (!isDone(key)) {
			const booking = await reader.booking(key).catch(unlessSpent);
			if (!booking) return;
			if (!(booking instanceof ServiceError)) yield [booking];
			else if (booking.kind !== 'notFound') progress.hasChosenFailed = true;
		}
		progress.chosenRead = at + 1;
		if (progress.chosenRead < chosen.length) continue;
		progress.isSwept ||= !progress.hasChosenFailed;
		progress.hasChosenFailed = false;
	}
}
