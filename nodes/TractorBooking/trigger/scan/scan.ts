import { ServiceError } from '../../api/errors';
import type { BookingKey } from '../../api/identifiers';
import type { Settings } from '../settings';
import type { Progress } from './list';
import { newRound, scanList } from './list';
import type { Pages, Reader } from './reader';

/**
 * Reads what a poll has to read, as far as its budget reaches, and yields page after page. Where it stopped is in
 * `progress`. Knows no status.
 */
export function scan(reader: Reader, progress: Progress, { chosen, pageSize }: Settings): Pages {
	if (chosen) return scanById(reader, progress, chosen);
	return scanList(reader, progress, pageSize);
}

/**
 * Reads specific bookings one by one, starting where the last poll had to stop. One that cannot be read does not keep
 * the others from being read. The first scan ends with a round over all of them in which none failed.
 */
async function* scanById(reader: Reader, progress: Progress, chosen: readonly BookingKey[]): Pages {
	const start = progress.round?.next ?? 0;
	for (const key of [...chosen.slice(start), ...chosen.slice(0, start)]) {
		if (reader.isSpent) return;
		const booking = await reader.booking(key);
		if (booking === reader.end) return;
		const round = (progress.round ??= newRound(reader.now, 0));
		round.next += 1;
		if (!(booking instanceof ServiceError)) yield [booking];
		else if (booking.kind !== 'notFound') round.hasFailed = true;
		if (round.next < chosen.length) continue;
		progress.isKnown ||= !round.hasFailed;
		progress.round = undefined;
	}
}
