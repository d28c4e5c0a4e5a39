import { ServiceError } from '../../../nodes/TractorBooking/api/errors';
import type { ListMemory, PagedList } from '../../../nodes/TractorBooking/api/pages/fetch';
import type { Page } from '../../../nodes/TractorBooking/api/pages/unwrap';

/** What a page says besides its records. */
export type About = Omit<Page, 'records'>;

/** What a service says to one page: a page, a status, or null for no list. */
type Answer = Page | number | null;

const KINDS: Partial<Record<number, ServiceError['kind']>> = {
	400: 'validation',
	404: 'notFound',
	422: 'validation',
};

/** What the client makes of a status; of none, what it makes of null in place of a list. */
export function failureOf(status = 404): ServiceError {
	return new ServiceError(KINDS[status] ?? 'server', `status ${status}`, { status });
}

/** The answers of a list by page, or by `page/size`; of several, the last one comes again and again. */
export type Answers = Record<string, Answer | Answer[]>;

/** A page of bookings with these IDs. */
export function page(ids: number[], about: About = {}): Page {
	return { records: ids.map((bookingID) => ({ bookingID })), ...about };
}

/** IDs from the first to the last, downwards. */
export function down(from: number, to: number): number[] {
	return Array.from({ length: from - to + 1 }, (_, at) => from - at);
}

/** A list that answers as said; other pages are unknown. `asked` has each `page/size` in order. */
export function listOf(answers: Answers, memory: ListMemory = {}) {
	const asked: string[] = [];
	const list: PagedList = {
		what: 'bookings',
		memory,
		keyOf: ({ bookingID }) => bookingID,
		fetchPage: async (number, size, signal) => {
			const wanted = `${number}/${size}`;
			const times = asked.filter((other) => other === wanted).length;
			asked.push(wanted);
			await new Promise(setImmediate);
			if (signal?.aborted) throw new ServiceError('stopped', 'stopped');
			const given = [answers[wanted] ?? answers[number] ?? (number in answers ? null : 404)].flat();
			const answer = given[Math.min(times, given.length - 1)];
			if (typeof answer === 'object' && answer) return answer;
			throw failureOf(answer ?? undefined);
		},
	};
	/** The numbers of the pages that were asked for. */
	const pages = () => asked.map((wanted) => Number(wanted.split('/')[0]));
	return { list, asked, pages };
}
