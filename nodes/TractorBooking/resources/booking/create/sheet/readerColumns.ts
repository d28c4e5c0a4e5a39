import type { IDataObject } from 'n8n-workflow';

import { asText } from '../../../../utils/text';
import { RESULT_COLUMNS } from '../row/results';

const OF_PHONE = 'start end today username deviceid phonenumber';

/**
 * What readers add to each row, by nodes of n8n 2.41 and what their services return. Some of it may be an operator's own
 * words: the first two columns together give a reader away.
 */
const READERS: Readonly<Record<string, string>> = {
	Airtable: 'id createdTime',
	'Data Table': 'id createdAt updatedAt',
	'Form Trigger': 'submittedAt formMode formQueryParameters',
	'Google Sheets Trigger': 'row_number change_type',
	'Jotform Trigger':
		'formID submissionID formTitle ip type username pretty action webhookURL customParams product customTitle event documentID teamID subject isSilent customBody fromTable appID unread parent rawRequest.slug rawRequest.jsExecutionTracker',
	KoBoToolbox: `_uuid _submission_time ${OF_PHONE} formhub/uuid meta/instanceID meta/rootUuid __version__ _xform_id_string _id _index _attachments _status _geolocation _tags _notes _submitted_by _validation_status`,
	'KoBoToolbox, a repeat group':
		'_parent_index _submission__uuid _index _parent_table_name _submission__id _submission__submission_time _submission__notes _submission__status _submission__submitted_by _submission___version__ _submission__tags',
	'KoBoToolbox with Reformat': `xform_id_string submission_time ${OF_PHONE} formhub meta version id uuid attachments status geolocation tags notes submitted_by validation_status`,
	NocoDB: 'Id CreatedAt UpdatedAt',
	'ODK Central': `SubmissionDate KEY ${OF_PHONE} meta-instanceID meta-instanceName SubmitterID SubmitterName AttachmentsPresent AttachmentsExpected Status DeviceID Edits FormVersion`,
};

/** Whether a reader's column has what a person decided about a row: it may say which rows to book, and never holds a field. */
export const isDecision = (column: string): boolean =>
	/(?:^|_)validation_status(?:\.label)?$|^ReviewState$/.test(column);

/** Columns that n8n's own nodes add, under names that are no one else's. */
const ALWAYS = ['row_number', 'submittedAt', 'formMode'];

/** A number of the line, which is another one once lines are sorted, or others stand above. */
const LINE_NUMBER = /^(?:s|sr|sl|serial)\W*n(?:o|um|umber)?\W*$|^(?:n°|#)$/i;

/**
 * Tells the columns that the reader of these rows adds, or this node: they are never another column of the user's. A decision
 * is.
 *
 * @param first the first row
 */
export function addedBy(
	columns: readonly string[],
	first: IDataObject = {},
): (column: string) => boolean {
	const readers = Object.values(READERS)
		.map((names) => names.split(' '))
		.filter((names) => names.slice(0, 2).every((name) => columns.includes(name)));
	// The node reads `bookingID`.
	const written = RESULT_COLUMNS.filter((name) => name !== 'bookingID');
	const names: string[] = [...ALWAYS, ...written, ...readers.flat()];
	// Baserow's place of a row in its table.
	if (/^\d+\.\d{20}$/.test(asText(first.order))) names.push('id', 'order');
	// NocoDB 4 has its columns in an object of this name.
	if (columns.some((name) => name.startsWith('fields.'))) names.push('id');
	return (column) =>
		!isDecision(column) &&
		(LINE_NUMBER.test(column) ||
			names.some((name) => column === name || column.startsWith(`${name}.`)));
}
