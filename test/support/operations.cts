import type { INodeParameters } from 'n8n-workflow';

const DAY_MS = 86_400_000;

/** A day from now on, `YYYY-MM-DD` in UTC, far enough from midnight's edge to be in the future anywhere. */
export function dayFromNow(days: number): string {
	return new Date(Date.now() + (days + 2) * DAY_MS).toISOString().slice(0, 10);
}

export const OPERATIONS = [
	'tractor:findNearby',
	'tractor:get',
	'booking:create',
	'booking:createFromSpreadsheet',
	'booking:get',
	'booking:getAll',
	'catalogue:get',
	'catalogue:getAll',
	'contract:getAll',
] as const;

export type OperationName = (typeof OPERATIONS)[number];

/** A resource locator of which an ID was typed. */
export const byId = (value: string) => ({ __rl: true, mode: 'id', value });

/** What Create and Create From Spreadsheet ask for, and most tests do not care about. */
export const DEFAULTS: Partial<Record<OperationName, INodeParameters>> = {
	'booking:create': { farmerName: 'Amina Bello', landArea: '2 ha', phoneCountry: 'none' },
	'booking:createFromSpreadsheet': { phoneCountry: 'none' },
};

/** Something to ask of each operation of a sandbox. */
export const ASKED: Record<OperationName, INodeParameters> = {
	'tractor:findNearby': { latitude: '10.5222', longitude: '7.4384' },
	'tractor:get': { tractorIds: '201, 202' },
	'booking:create': {
		tractorId: '201',
		serviceType: '3',
		serviceDate: dayFromNow(1),
		farmerPhone: '+2348000000001',
	},
	'booking:createFromSpreadsheet': {},
	'booking:get': { bookingId: byId('100001') },
	'booking:getAll': {},
	'catalogue:get': { tractorId: byId('201') },
	'catalogue:getAll': {},
	'contract:getAll': {},
};
