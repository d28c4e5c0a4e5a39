import { asText } from '../../../../nodes/TractorBooking/utils/text';
import { asDocumented, type LateService } from '../../../support/lateService.cts';

interface Form {
	name: string;
	service: Partial<Pick<LateService, 'render' | 'order' | 'isBare'>>;
	timezone?: string;
}

/** A list whose records have other values in some fields than documented. */
const form = (
	name: string,
	change: LateService['render'],
	more: Partial<Form['service']> = {},
): Form => ({
	name,
	service: { render: (sent) => ({ ...asDocumented(sent), ...change(sent) }), ...more },
});

export const FORMS: readonly Form[] = [
	form('as documented', () => ({})),
	form(
		'with service and area, in a bare array, oldest first',
		({ serviceType, landArea, areaType }) => ({ serviceType, landArea, areaType }),
		{ order: 'oldest', isBare: true },
	),
	form('phones masked', ({ farmerPhone: phone }) => ({
		farmerPhone: `*********${asText(phone).slice(-4)}`,
	})),
	{
		...form('days as instants, names in capitals, phones as numbers', (sent) => ({
			serviceDate: new Date(Date.parse(`${asText(sent.serviceDate)}T00:00:00+01:00`)).toISOString(),
			farmerName: asText(sent.farmerName).toUpperCase().split(' ').reverse().join(', '),
			farmerPhone: Number(asText(sent.farmerPhone).slice(1)),
		})),
		timezone: 'Africa/Lagos',
	},
	form('without names', () => ({ farmerName: null })),
];
