import type { IDataObject, IExecuteFunctions } from 'n8n-workflow';

import { statusLabel } from '../../api/status';
import type { PagedList } from '../../api/pages/pages';
import { collectList } from '../../api/pages/pages';
import { getLimit, optionsCollection, returnAllFields } from '../descriptions';
import { copies, Memoizer } from '../../utils/memoizer';
import type { ItemResult, Operation } from '../operation';
import { clientFor, eachItem } from '../operation';
import { bookingsList } from './bookingsList';
import { bookingFilter, filtersField } from './filters';

/** Adds status labels to the list. The records are changed in place, because a long list would not fit twice. */
function labelled(list: PagedList): PagedList {
	return {
		...list,
		fetchPage: async (page, size, signal) => {
			const answer = await list.fetchPage(page, size, signal);
			answer.items.forEach((booking) => {
				booking.bookingStatusLabel = statusLabel(booking.bookingStatus);
			});
			return answer;
		},
	};
}

async function run(context: IExecuteFunctions): Promise<ItemResult[]> {
	const client = await clientFor(context, 'apiKey');
	const isAlone = context.getInputData().length === 1;
	const lists = new Memoizer<IDataObject[]>(copies);
	const wholeList = new Memoizer<IDataObject[]>((records) => records);
	return await eachItem(context, async (itemIndex) => {
		const limit = getLimit(context, itemIndex);
		const filters = context.getNodeParameter('filters', itemIndex, {});
		const isWanted = bookingFilter(filters, context.getTimezone());
		const fetchBookings = async (isTaken?: PagedList['isWanted']) =>
			await collectList(labelled(bookingsList(client, isTaken)), limit);
		// The service does not filter, so items with Return All share one read of the whole list.
		if (limit === Infinity && !isAlone) {
			const all = await wholeList.get('', fetchBookings);
			return copies(isWanted ? all.filter(isWanted) : all);
		}
		return await lists.get([limit, filters], async () => await fetchBookings(isWanted));
	});
}

/** Booking > Get Many. */
export const getMany: Operation = {
	run,
	fields: [...returnAllFields, filtersField, optionsCollection()],
};
