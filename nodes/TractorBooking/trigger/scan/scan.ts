import { ServiceError } from '../../api/errors';
import type { BookingKey } from '../../api/identifiers';
import type { Progress, View } from './list';
import { newRound, scanList } from './list';
import type { Pages, Reader } from './reader';

const CORRECT_IDS = 'Correct Booking IDs in this node, or the base URL in the credential.';

/** Which bookings are read. */
export interface Wanted {
	/** The specific bookings to watch; undefined for all. */
	chosen?: readonly BookingKey[];
	/** Number of bookings to request per page. */
	pageSize: number;
}

/**
 * Reads what a poll has to read, as far as its budget reaches, and yields page after page. Where it stopped is in
 * `progress`. Knows no status.
 */
export function scanBookings(
	reader: Reader,
	progress: Progress,
	{ chosen, pageSize }: Wanted,
	view: View,
): Pages {
	if (chosen) return scanById(reader, progress, chosen);
	return scanList(reader, progress, pageSize, view);
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
		else if (booking.kind === 'notFound') reader.unknown.push(booking.withDescription(CORRECT_IDS));
		else round.hasFailed = true;
		if (round.next < chosen.length) continue;
		progress.isKnown ||= !round.hasFailed;
		progress.round = undefined;
	}
}

/** Reads bookings whose events are to be emitted again; one that cannot be read has its turn at the next poll. */
export async function* scanDue(reader: Reader, keys: readonly BookingKey[]): Pages {
	for (const key of keys) {
		if (reader.isSpent) return;
		const booking = await reader.booking(key);
		if (!(booking instanceof ServiceError)) yield [booking];
	}
}
