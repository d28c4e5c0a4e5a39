import type { IDataObject } from 'n8n-workflow';

import { dayFromNow } from '../../../support/bookings.cts';

type Answer = string | string[];

interface KoboQuestion {
	group?: 'grp_farm' | 'grp_farmer' | 'grp_job';
	name: string;
	label: string;
	choices?: Record<string, string>;
	isMultiple?: boolean;
	isPlace?: boolean;
}

const GROUPS = { grp_farmer: 'Farmer', grp_farm: 'Farm', grp_job: 'Job needed' };

const QUESTIONS: KoboQuestion[] = [
	{ name: 'start', label: 'start' },
	{ name: 'end', label: 'end' },
	{ name: 'consent', label: 'Do you agree?', choices: { yes: 'Yes', no: 'No' } },
	{ group: 'grp_farmer', name: 'farmer_name', label: 'Name of farmer' },
	{ group: 'grp_farmer', name: 'farmer_phone', label: 'Phone No.:' },
	{
		...{ group: 'grp_farmer', name: 'sex', label: 'Sex' },
		choices: { female: 'Female', male: 'Male' },
	},
	{ group: 'grp_farm', name: 'village', label: 'Village' },
	{ group: 'grp_farm', name: 'farm_gps', label: 'Farm GPS', isPlace: true },
	{
		...{ group: 'grp_job', name: 'service', label: 'Service required?', isMultiple: true },
		choices: { ploughing: 'Ploughing', harrowing: 'Harrowing' },
	},
	{ group: 'grp_job', name: 'service_date', label: 'Preferred date' },
	{ group: 'grp_job', name: 'area', label: 'Land area' },
	{
		...{ group: 'grp_job', name: 'area_unit', label: 'Unit of area' },
		choices: { acres: 'Acres', ha: 'Hectares' },
	},
	{
		...{ group: 'grp_job', name: 'crops', label: 'Crops', isMultiple: true },
		choices: { maize: 'Maize', beans: 'Beans', sweet_potato: 'Sweet potato' },
	},
];

/** How KoBoToolbox exports a form: what its page offers, with its own words. */
export interface KoboSettings {
	/** *Value and header format*: labels, or XML values and headers. */
	format: 'labels' | 'xml';
	/** *Include groups in headers*. */
	groups: boolean;
	/** What stands below a choice: Ona has words. */
	ticks?: [no: string, yes: string];
}

/**
 * The rows of an export as n8n reads them from a CSV file; from a workbook, without the cells that are empty.
 *
 * By formpack, which makes the exports of KoBoToolbox: `schema/fields.py` (labels, places, choices) and `reporting/export.py`.
 */
export function koboExport(
	{ format, groups, ticks: [no, yes] = ['0', '1'] }: KoboSettings,
	submissions: Array<Record<string, Answer>>,
): IDataObject[] {
	const inLabels = format === 'labels';
	const textOf = ({ choices }: KoboQuestion, value: string) =>
		inLabels ? (choices?.[value] ?? value) : value;
	const headingOf = ({ group, name, label }: KoboQuestion, prefix = '', suffix = '') => {
		const own = `${prefix}${inLabels ? label : name}${suffix}`;
		return groups && group ? `${inLabels ? GROUPS[group] : group}/${own}` : own;
	};
	return submissions.map((answers, at) => {
		const cells = QUESTIONS.flatMap((question): Array<[string, string]> => {
			const { name, choices = {}, isMultiple = false, isPlace = false } = question;
			const values = [answers[name] ?? []].flat();
			const summary: [string, string] = [
				headingOf(question),
				values.map((value) => textOf(question, value)).join(' '),
			];
			if (isPlace) {
				const [heading, cell] = summary;
				const numbers = (values[0] ?? '').split(' ');
				return [
					// Without its group, which those of its parts have.
					[heading.replace(/^.*\//, ''), cell],
					...['latitude', 'longitude', 'altitude', 'precision'].map(
						(part, axis): [string, string] => [
							headingOf(question, '_', `_${part}`),
							numbers[axis] ?? '',
						],
					),
				];
			}
			if (!isMultiple) return [summary];
			const ticks = Object.keys(choices).map((choice): [string, string] => [
				`${headingOf(question)}/${textOf(question, choice)}`,
				values.length === 0 ? '' : values.includes(choice) ? yes : no,
			]);
			return [summary, ...ticks];
		});
		return Object.fromEntries([
			...cells,
			['_id', `${481_502_731 + at}`],
			['_uuid', `5c8c1a2e-7f3b-4a86-9d0e-2b1f6c7d8e${10 + at}`],
			['_submission_time', `2026-11-20 08:16:4${at}`],
			['_validation_status', answers._validation_status ?? ''],
			['_notes', ''],
			['_status', 'submitted_via_web'],
			['_submitted_by', 'officer_kd'],
			['__version__', 'vKq3vZt8m3Xj9dQw2LrT6n'],
			['_tags', ''],
			['meta/rootUuid', `uuid:5c8c1a2e-7f3b-4a86-9d0e-2b1f6c7d8e${10 + at}`],
			['_index', `${at + 1}`],
		]);
	});
}

const request = (at: number, more: Record<string, Answer> = {}): Record<string, Answer> => ({
	start: `2026-11-20T09:12:0${at}.114+01:00`,
	end: `2026-11-20T09:16:4${at}.908+01:00`,
	consent: 'yes',
	farmer_name: `Farmer ${'ABCDEF'[at]}`,
	farmer_phone: `0803123456${at}`,
	sex: at % 2 ? 'male' : 'female',
	village: at % 2 ? 'Rigasa' : 'Kawo',
	farm_gps: `10.5${20 + at} 7.43 640 4.5`,
	service: ['ploughing'],
	service_date: dayFromNow(20 + at),
	area: `${at + 1}`,
	area_unit: 'ha',
	crops: ['maize', 'sweet_potato'],
	_validation_status: 'Approved',
	...more,
});

/** Six requests, of which one asks for two services. */
export const KOBO_REQUESTS = [
	request(0),
	request(1, { crops: ['beans'] }),
	request(2, { crops: [], _validation_status: 'Not Approved' }),
	request(3, { area_unit: 'acres', _validation_status: 'On Hold' }),
	request(4, { service: ['harrowing'] }),
	request(5, { service: ['ploughing', 'harrowing'] }),
];
