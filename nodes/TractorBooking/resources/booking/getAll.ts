import type { IDataObject, IExecuteFunctions } from 'n8n-workflow';

import { bookingsList } from '../../api/pages/fetch';
import type { CollectOptions } from '../../api/pages/collect';
import { collect } from '../../api/pages/collect';
import { getLimit, optionsCollection, pageSizeOption, returnAllFields } from '../descriptions';
import { Memoizer } from '../../utils/memoizer';
import type { ItemResult, Operation } from '../operation';
import { clientFor, eachItem, warningsTo, wholeOption } from '../operation';
import { bookingFilter, filtersField } from './filters';
import { bookingOutput } from './output';

async function run(context: IExecuteFunctions): Promise<ItemResult[]> {
	const client = await clientFor(context, 'apiKey');
	const pageSize = wholeOption(context, 'pageSize');
	const warn = warningsTo(context);
	const isAlone = context.getInputData().length === 1;
	const lists = new Memoizer<IDataObject[]>((records) => records);
	const wholeList = new Memoizer<IDataObject[]>((records) => records);

	const fetchBookings = async (options: CollectOptions) =>
		await collect(bookingsList(client), { ...options, pageSize, warn });

	async function filtered(limit: number, isWanted?: (booking: IDataObject) => boolean) {
		// The service does not filter, so items with Return All share one read of the whole list.
		if (limit < Infinity || isAlone) return await fetchBookings({ limit, isWanted });
		const all = await wholeList.get('', async () => await fetchBookings({}));
		return isWanted ? all.filter(isWanted) : all;
	}

	return await eachItem(context, async (itemIndex) => {
		const limit = getLimit(context, itemIndex);
		const filters = context.getNodeParameter('filters', itemIndex, {});
		const { isWanted, fields } = bookingFilter(filters, context.getTimezone());
		const toOutput = bookingOutput.outputOf(context, itemIndex);
		const bookings = await lists.get([limit, filters], async () => {
			const wanted = await filtered(limit, isWanted);
			for (const field of fields) field.report(warn);
			return wanted;
		});
		// In place, because a long list would not fit twice.
		const records = isAlone ? bookings : [...bookings];
		for (const [at, booking] of bookings.entries()) records[at] = toOutput(booking);
		return records;
	});
}

export const getMany: Operation = {
	run,
	fields: [
		...returnAllFields,
		...bookingOutput.fields,
		filtersField,
		optionsCollection([pageSizeOption]),
	],
};
