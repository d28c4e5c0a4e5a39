import { bookingIdOf, type BookingId } from '../../../../api/records';
import { jobOfRow, type Job } from '../row/job';
import type { FinishedRow, RequestedRow } from '../row/row';
import { candidateOf, type Likeness, type Listed } from '../row/candidates';

/** For so many milliseconds, a process knows what it has sent, whether the list shows it or not. */
const KNOWN_FOR_MS = 3_600_000;

/** A request without a response, as far as a booking would show it. Times in milliseconds since 1970. */
interface Unanswered {
	job: Job;
	sentAt: number;
	/** When the claim of its row ends. */
	claimEnd: number;
}

/** What this process has sent of late, and a list that is late does not show. */
export class SentLately {
	private readonly made = new Map<BookingId, { listed: Listed; knownUntil: number }>();

	/** By the keys of their rows. */
	private readonly unanswered = new Map<string, Unanswered>();

	/** Takes in what became of a row that was sent, or found to be booked. @param claimEnd in milliseconds since 1970 */
	add(row: RequestedRow, { result, booking }: FinishedRow, claimEnd: number): void {
		const [job, sentAt] = [jobOfRow(row), Date.now()];
		const id = booking && bookingIdOf(booking);
		if (id === undefined) {
			if (result === 'unknown') this.unanswered.set(row.key, { job, sentAt, claimEnd });
			return;
		}
		this.unanswered.delete(row.key);
		const { farmerName, farmerPhone, serviceDate, tractorId: tractorPairedTo } = row.request;
		const made = { bookingID: id, farmerName, farmerPhone, serviceDate, tractorPairedTo };
		const listed = { id, booking: made, job, status: undefined, isUnlisted: true };
		this.made.set(id, { listed, knownUntil: sentAt + KNOWN_FOR_MS });
	}

	/** The bookings that were made and are not listed yet. @param isListed whether the list has one by now */
	notListed(isListed: (id: BookingId) => boolean): Listed[] {
		for (const [id, { knownUntil }] of this.made)
			if (knownUntil <= Date.now() || isListed(id)) this.made.delete(id);
		return [...this.made.values()].map(({ listed }) => listed);
	}

	/** A request of another key that may be the row, as it was before it was edited. */
	unansweredLike(row: RequestedRow): (Unanswered & Likeness) | undefined {
		const job = jobOfRow(row);
		for (const [key, sent] of this.unanswered) {
			if (sent.sentAt + KNOWN_FOR_MS <= Date.now()) this.unanswered.delete(key);
			else if (key !== row.key) {
				const [like] = candidateOf(job, sent);
				if (like) return like;
			}
		}
		return undefined;
	}
}
