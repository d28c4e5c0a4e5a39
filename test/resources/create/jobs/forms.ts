import type { IDataObject, INodeParameters } from 'n8n-workflow';

import { asText } from '../../../../nodes/TractorBooking/utils/text';
import type { LateService } from '../../../support/lateService';

/** A way in which a service lists its bookings. */
interface Form {
	name: string;
	service: Partial<Pick<LateService, 'render' | 'order' | 'isBare'>>;
	options?: INodeParameters;
	timezone?: string;
}

/** The fields of a booking record that the interface names. */
const documented = (booking: IDataObject): IDataObject => ({
	bookingID: booking.bookingID,
	bookingStatus: booking.bookingStatus,
	tractorPairedTo: booking.tractorId,
	serviceDate: booking.serviceDate,
	farmerName: booking.farmerName,
	farmerPhone: booking.farmerPhone,
});

export const FORMS: readonly Form[] = [
	{ name: 'as documented', service: { render: documented } },
	{
		name: 'with the service, in a bare array, oldest first',
		service: {
			render: ({ serviceType, ...sent }) => ({ ...documented(sent), serviceType }),
			order: 'oldest',
			isBare: true,
		},
	},
	{
		name: 'phones masked, matched by name and day',
		service: {
			render: ({ farmerPhone, ...sent }) => ({
				...documented(sent),
				farmerPhone: `*********${asText(farmerPhone).slice(-4)}`,
			}),
		},
		options: { matchFields: ['farmerName', 'serviceDate'] },
	},
	{
		name: 'days as instants, names in capitals, phones as numbers',
		service: {
			render: ({ serviceDate, farmerName, farmerPhone, ...sent }) => ({
				...documented(sent),
				serviceDate: new Date(Date.parse(`${asText(serviceDate)}T00:00:00+01:00`)).toISOString(),
				farmerName: asText(farmerName).toUpperCase().split(' ').reverse().join(', '),
				farmerPhone: Number(asText(farmerPhone).slice(1)),
			}),
		},
		timezone: 'Africa/Lagos',
	},
	{
		name: 'without names',
		service: {
			render: (booking) => ({ ...documented(booking), farmerName: null }),
		},
	},
];
