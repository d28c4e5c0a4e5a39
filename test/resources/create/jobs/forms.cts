import { asText } from '../../../../nodes/TractorBooking/utils/text';
import { asDocumented, type LateService } from '../../../support/lateService.cts';

/** A way in which a service lists its bookings. */
interface Form {
	name: string;
	service: Partial<Pick<LateService, 'render' | 'order' | 'isBare'>>;
	timezone?: string;
}

export const FORMS: readonly Form[] = [
	{ name: 'as documented', service: { render: asDocumented } },
	{
		name: 'with service and area, in a bare array, oldest first',
		service: {
			render: ({ serviceType, landArea, areaType, ...sent }) => ({
				...asDocumented(sent),
				...{ serviceType, landArea, areaType },
			}),
			order: 'oldest',
			isBare: true,
		},
	},
	{
		name: 'phones masked',
		service: {
			render: ({ farmerPhone, ...sent }) => ({
				...asDocumented(sent),
				farmerPhone: `*********${asText(farmerPhone).slice(-4)}`,
			}),
		},
	},
	{
		name: 'days as instants, names in capitals, phones as numbers',
		service: {
			render: ({ serviceDate, farmerName, farmerPhone, ...sent }) => ({
				...asDocumented(sent),
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
			render: (booking) => ({ ...asDocumented(booking), farmerName: null }),
		},
	},
];
