import type { IDataObject, IExecuteFunctions } from 'n8n-workflow';

import { bookingsList } from '../../api/endpoints';
import { collect, type CollectOptions } from '../../api/pages/collect';
import { simplify } from '../../methods/fields';
import { getLimit, optionsCollection, pageSizeOption, returnAllFields } from '../descriptions';
import type { ItemResult, Operation } from '../operation';
import { clientFor, eachItem, warningsTo, pageSizeOf } from '../operation';
import { bookingFilter, filtersField } from './filters';
import { outputOf } from './get';

async function run(context: IExecuteFunctions): Promise<ItemResult[]> {
	const client = await clientFor(context, 'apiKey');
	const pageSize = pageSizeOf(context);
	const warn = warningsTo(context);
	const isAlone = context.getInputData().length === 1;
	let whole: Promise<IDataObject[]> | undefined;
	return await eachItem(context, async (itemIndex) => {
		const limit = getLimit(context, itemIndex);
		const filters = context.getNodeParameter('filters', itemIndex, {});
		const { isWanted, report } = bookingFilter(filters, context.getTimezone(), warn);
		const toOutput = outputOf(context, itemIndex);
		const read = async (options: CollectOptions) =>
			await collect(bookingsList(client), { ...options, pageSize, warn });
		// The service does not filter, so items that need the whole list share one reading of it. One item alone keeps nothing else.
		const bookings =
			limit < Infinity || isAlone
				? await read({ limit, isWanted, toOutput })
				: (await (whole ??= read({}))).filter(isWanted ?? (() => true)).map(toOutput);
		report();
		return bookings;
	});
}

/** Booking > Get Many (interface, "List bookings"). */
export const getAll: Operation = {
	name: 'Get Many',
	action: 'Get many bookings',
	description: 'Get many bookings of your organisation with their current status',
	fields: [...returnAllFields, simplify, filtersField, optionsCollection([pageSizeOption])],
	run,
};
