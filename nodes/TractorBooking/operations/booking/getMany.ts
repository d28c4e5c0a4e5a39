import type { IDataObject, IExecuteFunctions } from 'n8n-workflow';

import { withStatusLabel } from '../../service/bookingStatus';
import { readPagedList } from '../../service/pagination';
import { limitOf, optionsCollection, returnAllFields } from '../fields';
import { Once } from '../once';
import type { Operation, Outcome } from '../operation';
import { clientFor, eachItem } from '../operation';
import { bookingsList } from './bookingsList';
import { bookingFilter, filtersField } from './filters';

async function run(context: IExecuteFunctions): Promise<Outcome[]> {
	const client = await clientFor(context, 'apiKey');
	const lists = new Once<IDataObject[]>();
	return await eachItem(context, async (itemIndex) => {
		const limit = limitOf(context, itemIndex);
		const filters = context.getNodeParameter('filters', itemIndex, {});
		const isWanted = bookingFilter(filters, context.getTimezone());
		const bookings = await lists.get(
			[limit, filters],
			async () => await readPagedList(bookingsList(client, isWanted), limit),
		);
		return bookings.map(withStatusLabel);
	});
}

/** Booking > Get Many. */
export const getMany: Operation = {
	run,
	fields: [...returnAllFields, filtersField, optionsCollection()],
};
