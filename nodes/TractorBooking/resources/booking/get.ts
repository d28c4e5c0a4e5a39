import type { IDataObject, IExecuteFunctions, INodeProperties } from 'n8n-workflow';

import { getBooking } from '../../api/endpoints';
import { pickFields, withStatusLabel } from '../../api/status';
import { simplify } from '../../methods/fields';
import { switchOf } from '../../parse/choices';
import { locatorModes, optionsCollection } from '../descriptions';
import { getParameter, readEach, type Operation } from '../operation';

/** Makes what comes out of a booking, as Simplify says. @throws InvalidInputError if an expression returned no switch */
export function outputOf(
	context: IExecuteFunctions,
	itemIndex: number,
): (booking: IDataObject) => IDataObject {
	const simplifies = getParameter(context, 'simplify', itemIndex);
	return switchOf(simplifies, 'Simplify') ? pickFields : withStatusLabel;
}

const bookingField: INodeProperties = {
	displayName: 'Booking',
	name: 'bookingId',
	required: true,
	...locatorModes('booking', 'searchBookings', '50123'),
	description: "The booking to get. Only your own organisation's bookings can be read.",
};

/** Booking > Get (interface, "Poll a booking by identifier"). */
export const get: Operation = {
	name: 'Get',
	action: 'Get booking',
	description: 'Get a booking with its current status',
	fields: [bookingField, simplify, optionsCollection()],
	run: async (context) =>
		await readEach(context, 'apiKey', bookingField, getBooking, (booking, itemIndex) =>
			outputOf(context, itemIndex)(booking),
		),
};
