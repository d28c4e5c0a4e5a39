import type { IDataObject, IExecuteFunctions } from 'n8n-workflow';

import { withStatusLabel } from '../../api/status';
import { getBooking } from '../../api/endpoints';
import { locatorModes, optionsCollection } from '../descriptions';
import { copyOf, Memoizer } from '../../utils/memoizer';
import type { ItemResult, Operation } from '../operation';
import { clientFor, eachItem, getParameter } from '../operation';
import { parseId } from '../../parse/ids';
import { unwrap } from '../../parse/issue';

async function run(context: IExecuteFunctions): Promise<ItemResult[]> {
	const client = await clientFor(context, 'apiKey');
	const bookings = new Memoizer<IDataObject>(copyOf);
	return await eachItem(context, async (itemIndex) => {
		const value = getParameter(context, 'bookingId', itemIndex);
		const bookingId = unwrap(parseId(value), 'Booking', value);
		const fetchBooking = async () => withStatusLabel(await getBooking(client, bookingId));
		return [await bookings.get(bookingId, fetchBooking)];
	});
}

/** Booking > Get. */
export const get: Operation = {
	run,
	fields: [
		{
			displayName: 'Booking',
			name: 'bookingId',
			required: true,
			...locatorModes('booking', 'searchBookings', '50123'),
			description: 'The booking to get. Only bookings of your own organisation can be read.',
		},
		optionsCollection(),
	],
};
