import { getBooking } from '../../api/endpoints';
import { withStatusLabel } from '../../api/status';
import { locatorModes } from '../descriptions';
import { getOperation } from '../getOperation';

/** Booking > Get. */
export const get = getOperation(
	{
		displayName: 'Booking',
		name: 'bookingId',
		required: true,
		...locatorModes('booking', 'searchBookings', '50123'),
		description: "The booking to get. Only your own organisation's bookings can be read.",
	},
	() => 'apiKey',
	async (client, bookingId) => withStatusLabel(await getBooking(client, bookingId)),
);
