import { getBooking } from '../../api/endpoints';
import { locatorModes } from '../descriptions';
import { getOperation } from '../simpleOperations';
import { bookingOutput } from './output';

export const get = getOperation(
	{
		displayName: 'Booking',
		name: 'bookingId',
		required: true,
		...locatorModes('booking', 'searchBookings', '50123'),
		description: "The booking to get. Only your own organisation's bookings can be read.",
	},
	() => 'apiKey',
	getBooking,
	bookingOutput,
);
