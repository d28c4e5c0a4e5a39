import type { IDataObject, IExecuteFunctions } from 'n8n-workflow';

import { bookingsList } from '../../api/pages/fetch';
import type { CollectOptions } from '../../api/pages/collect';
import { collect } from '../../api/pages/collect';
import { statusLabel } from '../../api/status';
import { getLimit, optionsCollection, pageSizeOption, returnAllFields } from '../descriptions';
import { copies, Memoizer } from '../../utils/memoizer';
import type { ItemResult, Operation } from '../operation';
import { clientFor, eachItem, warningsTo, wholeOption } from '../operation';
import { bookingFilter, filtersField } from './filters';

async function run(context: IExecuteFunctions): Promise<ItemResult[]> {
	const client = await clientFor(context, 'apiKey');
	const pageSize = wholeOption(context, 'pageSize');
	const warn = warningsTo(context);
	const isAlone = context.getInputData().length === 1;
	const lists = new Memoizer<IDataObject[]>(copies);
	const wholeList = new Memoizer<IDataObject[]>((records) => records);

	async function fetchBookings(options: CollectOptions): Promise<IDataObject[]> {
		const bookings = await collect(bookingsList(client), { ...options, pageSize, warn });
		// The records are changed in place, because a long list would not fit twice.
		for (const booking of bookings) {
			booking.bookingStatusLabel = statusLabel(booking.bookingStatus);
		}
		return bookings;
	}

	async function filtered(limit: number, isWanted?: (booking: IDataObject) => boolean) {
		// The service does not filter, so items with Return All share one read of the whole list.
		if (limit < Infinity || isAlone) return await fetchBookings({ limit, isWanted });
		const all = await wholeList.get('', async () => await fetchBookings({}));
		return copies(isWanted ? all.filter(isWanted) : all);
	}

	return await eachItem(context, async (itemIndex) => {
		const limit = getLimit(context, itemIndex);
		const filters = context.getNodeParameter('filters', itemIndex, {});
		const { isWanted, fields } = bookingFilter(filters, context.getTimezone());
		return await lists.get([limit, filters], async () => {
			const bookings = await filtered(limit, isWanted);
			for (const field of fields) field.report(warn);
			return bookings;
		});
	});
}

/** Booking > Get Many. */
export const getMany: Operation = {
	run,
	fields: [...returnAllFields, filtersField, optionsCollection([pageSizeOption])],
};
