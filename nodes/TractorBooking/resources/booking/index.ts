import type { Resource } from '../resource';
import { create, createFromSpreadsheet } from './create';
import { get } from './get';
import { getMany } from './getAll';

/** The resource Booking (interface, "Create booking", "Poll a booking by identifier", "List bookings"). */
export const booking: Resource = {
	operations: { create, createFromSpreadsheet, get, getAll: getMany },
	operationField: {
		displayName: 'Operation',
		name: 'operation',
		type: 'options',
		noDataExpression: true,
		options: [
			{
				name: 'Create',
				value: 'create',
				action: 'Create booking',
				description: 'Book a tractor for a farmer, field by field',
			},
			{
				name: 'Create From Spreadsheet',
				value: 'createFromSpreadsheet',
				action: 'Create bookings from spreadsheet',
				description:
					'Book a tractor for each row of a spreadsheet; its columns are recognised by name',
			},
			{
				name: 'Get',
				value: 'get',
				action: 'Get booking',
				description: 'Get a booking with its current status',
			},
			{
				name: 'Get Many',
				value: 'getAll',
				action: 'Get many bookings',
				description: 'Get many bookings of your organisation with their current status',
			},
		],
		default: 'getAll',
	},
};
