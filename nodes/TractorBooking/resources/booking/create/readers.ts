import type { IDataObject } from 'n8n-workflow';

import { asText, isRecord } from '../../../utils/text';

/**
 * The columns that the node writes into the items of rows, before the row's own: the same for every row, so that a sheet
 * can be updated from them. `request` is written with Dry Run only, and `summary` with Dry Run into the first item.
 *
 * None but `bookingID` is the name or heading of a field: a sheet with the results written back reads as before.
 */
export const RESULT_COLUMNS = [
	'result',
	'reason',
	'bookingID',
	'possibleBookingIDs',
	'clusterID',
	'bookingStatus',
	'bookingStatusLabel',
	'bookedTractorId',
	'bookedTractorDistance',
	'request',
	'summary',
] as const;

export type ResultColumn = (typeof RESULT_COLUMNS)[number];

interface Reader {
	/** Columns that give it away, since what it adds may be an operator's own words. */
	signs: readonly string[];
	/** What it adds to each row, with spaces between. */
	adds: string;
}

const OF_PHONE = 'start end today username deviceid';

/** By nodes of n8n 2.41 and what their services return. A person's decision, such as KoBo's validation, is never in it. */
const READERS: Readonly<Record<string, Reader>> = {
	Airtable: { signs: ['id', 'createdTime'], adds: 'id createdTime' },
	'Data Table': { signs: ['id', 'createdAt', 'updatedAt'], adds: 'id createdAt updatedAt' },
	'Form Trigger': { signs: ['formMode'], adds: 'formQueryParameters' },
	'Google Sheets Trigger': { signs: ['row_number', 'change_type'], adds: 'change_type' },
	'Jotform Trigger': {
		signs: ['formID', 'submissionID'],
		adds: 'formID submissionID formTitle ip type username pretty action webhookURL customParams product customTitle event documentID teamID subject isSilent customBody fromTable appID unread parent rawRequest.slug rawRequest.jsExecutionTracker',
	},
	KoBoToolbox: {
		signs: ['_uuid', '_submission_time'],
		adds: `${OF_PHONE} formhub/uuid meta/instanceID meta/rootUuid __version__ _xform_id_string _id _index _uuid _attachments _status _geolocation _submission_time _tags _notes _submitted_by _validation_status.timestamp _validation_status.uid _validation_status.by_whom _validation_status.color`,
	},
	'KoBoToolbox with Reformat': {
		signs: ['xform_id_string', 'submission_time'],
		adds: `${OF_PHONE} formhub meta version xform_id_string id uuid attachments status geolocation submission_time tags notes submitted_by validation_status.timestamp validation_status.uid validation_status.by_whom validation_status.color`,
	},
	NocoDB: { signs: ['Id', 'CreatedAt', 'UpdatedAt'], adds: 'Id CreatedAt UpdatedAt' },
};

/** Columns that n8n's own nodes add, under names that are no one else's. */
const ALWAYS = ['row_number', 'submittedAt', 'formMode'];

/** What an export of KoBo adds to a place. */
const OF_PLACE = /^(.*[/.])?_(.+)_(?:latitude|longitude|altitude|precision)$/;

/** Tells the columns that the reader of these rows adds: they are never another column of the user's. */
export function addedBy(row: IDataObject): (column: string) => boolean {
	const readers = Object.values(READERS).filter(({ signs }) => signs.every((sign) => sign in row));
	const names = [...ALWAYS, ...RESULT_COLUMNS, ...readers.flatMap(({ adds }) => adds.split(' '))];
	// Baserow's place of a row in its table.
	if (/^\d+\.\d{20}$/.test(asText(row.order))) names.push('id', 'order');
	// NocoDB 4 has its columns in an object of this name.
	if (Object.keys(row).some((name) => name.startsWith('fields.'))) names.push('id');
	return (column) => {
		const [, group = '', place] = OF_PLACE.exec(column) ?? [];
		const isOfPlace = place !== undefined && group + place in row;
		return isOfPlace || names.some((name) => column === name || column.startsWith(`${name}.`));
	};
}

/** Whether a value is an object of JSON, and not a date. */
const isPlain = (value: unknown): value is IDataObject =>
	isRecord(value) && typeof value.toJSON !== 'function';

const RESULTS: ReadonlySet<string> = new Set(RESULT_COLUMNS);

/** A row without objects but points: a choice is its value, of another each part is a column. A list of one is that one. */
export function flatRow(row: IDataObject): IDataObject {
	if (!Object.values(row).some((cell) => typeof cell === 'object' && cell !== null)) return row;
	const cells = Object.entries(row).flatMap(
		([name, cell]): Array<[string, IDataObject[string]]> => {
			const [only, ...others] = [cell].flat();
			const one = others.length > 0 ? cell : only;
			if (!isPlain(one) || RESULTS.has(name)) return [[name, one]];
			if (one.type === 'Point') return [[name, one]];
			if (one.id !== undefined && one.value !== undefined) return [[name, one.value]];
			return Object.entries(flatRow(one)).map(([part, value]) => [`${name}.${part}`, value]);
		},
	);
	return Object.fromEntries(cells);
}
