import { getBooking } from '../../api/endpoints';
import { locatorModes } from '../descriptions';
import { getOperation, type Resource } from '../operation';
import { create, createFromSpreadsheet } from './create';
import { getMany } from './getAll';
import { bookingOutput } from './output';

const get = getOperation(
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

/** The resource Booking (interface, "Create booking", "Poll a booking by identifier", "List bookings"). */
export const booking: Resource = {
	create: {
		...create,
		name: 'Create',
		// All that an AI agent is told of a tool without a description of its own: n8n adds "in Tractor Booking".
		action: 'Create booking of a tractor for real',
		description: 'Book a tractor for a farmer, field by field',
	},
	createFromSpreadsheet: {
		...createFromSpreadsheet,
		name: 'Create From Spreadsheet',
		action: 'Create bookings from spreadsheet',
		description:
			'Book a tractor for each row of a spreadsheet; columns are recognised by their headings',
		// It books the items of the previous node, and a tool gets none.
		isForTools: false,
	},
	get: {
		...get,
		name: 'Get',
		action: 'Get booking',
		description: 'Get a booking with its current status',
	},
	getAll: {
		...getMany,
		name: 'Get Many',
		action: 'Get many bookings',
		description: 'Get many bookings of your organisation with their current status',
	},
};
