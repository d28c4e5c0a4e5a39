import type { IDataObject } from 'n8n-workflow';

import { ServiceError } from '../../../nodes/TractorBooking/api/errors';
import type { ListMemory, PagedList } from '../../../nodes/TractorBooking/api/pages/fetch';
import type { Page } from '../../../nodes/TractorBooking/api/pages/unwrap';

/** What a page says besides its records. */
export type About = Omit<Page, 'records'>;

/** What a service says to one page: records by their IDs and what else it says, a status, or null for no list. */
export type Answer = [ids: number[], about?: About] | number | null;

/** The answers of a list by page, or by `page/size`; the last one comes again and again. */
export type Answers = Record<string, Answer[]>;

/** Page 1, which says that nothing comes before it. */
export function pageOne(ids: number[], about: About = {}): Answer {
	return [ids, { hasPrevious: false, ...about }];
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
			const page = `${number}/${size}`;
			const times = asked.filter((other) => other === page).length;
			asked.push(page);
			await new Promise(setImmediate);
			if (signal?.aborted) throw new ServiceError('stopped', 'stopped');
			const given = answers[page] ?? answers[number] ?? [404];
			const answer = given[Math.min(times, given.length - 1)];
			if (typeof answer === 'number')
				throw new ServiceError('status', `status ${answer}`, { status: answer });
			const records = answer?.[0].map((bookingID): IDataObject => ({ bookingID }));
			return records && { records, ...answer?.[1] };
		},
	};
	/** The numbers of the pages that were asked for. */
	const pages = () => asked.map((page) => Number(page.split('/')[0]));
	return { list, asked, pages };
}
