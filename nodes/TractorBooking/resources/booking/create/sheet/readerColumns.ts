import type { IDataObject } from 'n8n-workflow';

import { asText } from '../../../../utils/text';
import { RESULT_COLUMNS } from './resultColumns';

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
	'KoBoToolbox, a repeat group': {
		signs: ['_parent_index', '_submission__uuid'],
		adds: '_index _parent_table_name _parent_index _submission__id _submission__uuid _submission__submission_time _submission__notes _submission__status _submission__submitted_by _submission___version__ _submission__tags',
	},
	'KoBoToolbox with Reformat': {
		signs: ['xform_id_string', 'submission_time'],
		adds: `${OF_PHONE} formhub meta version xform_id_string id uuid attachments status geolocation submission_time tags notes submitted_by validation_status.timestamp validation_status.uid validation_status.by_whom validation_status.color`,
	},
	'ODK Central': {
		signs: ['SubmissionDate', 'KEY'],
		adds: `SubmissionDate ${OF_PHONE} meta-instanceID meta-instanceName KEY SubmitterID SubmitterName AttachmentsPresent AttachmentsExpected Status DeviceID Edits FormVersion`,
	},
	NocoDB: { signs: ['Id', 'CreatedAt', 'UpdatedAt'], adds: 'Id CreatedAt UpdatedAt' },
};

/** Columns that n8n's own nodes add, under names that are no one else's. */
const ALWAYS = ['row_number', 'submittedAt', 'formMode'];

/**
 * Tells the columns that the reader of these rows adds, or this node: they are never another column of the user's.
 *
 * @param first the first row
 */
export function addedBy(
	columns: readonly string[],
	first: IDataObject = {},
): (column: string) => boolean {
	const isIn = (name: string) => columns.includes(name);
	const readers = Object.values(READERS).filter(({ signs }) => signs.every(isIn));
	// What it writes of a row's own booking is read.
	const own = RESULT_COLUMNS.filter((name) => name !== 'bookingID');
	const names = [...ALWAYS, ...own, ...readers.flatMap(({ adds }) => adds.split(' '))];
	// Baserow's place of a row in its table.
	if (/^\d+\.\d{20}$/.test(asText(first.order))) names.push('id', 'order');
	// NocoDB 4 has its columns in an object of this name.
	if (columns.some((name) => name.startsWith('fields.'))) names.push('id');
	return (column) => names.some((name) => column === name || column.startsWith(`${name}.`));
}
