// Another job gets a plot: it may differ from a submission in nothing else that tells two jobs apart.
import type { IDataObject } from 'n8n-workflow';
import { asText } from '../../../nodes/TractorBooking/utils/text';
import { itemsOf, jsonOf } from '../items';
import { answeredRows, type AskedRow } from '../possibleDuplicates';

const answered = answeredRows(
	jsonOf($('What may be booked already').all<AskedRow>()),
	$('Ask the officer').first<{ data?: IDataObject }>().json.data ?? {},
);
const isAnother = ({ bookingID }: IDataObject) => asText(bookingID).startsWith('not ');

export default itemsOf(
	answered.map((row) =>
		isAnother(row) ? { ...row, Plot: row.Plot || `submission ${asText(row._id)}` } : row,
	),
);
