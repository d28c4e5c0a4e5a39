// A submission that was edited since, has another status or is gone, is not the one that was asked about. Another job gets a
// plot: it may differ from a submission in nothing else that tells two jobs apart.
import type { IDataObject } from 'n8n-workflow';
import { asText } from '../../../nodes/TractorBooking/utils/text';
import { itemsOf, jsonOf } from '../items';
import { justAnswered } from '../possibleDuplicates';

// An edited one keeps its ID, and gets another UUID.
const versionOf = ({ _id, _uuid }: IDataObject) => `${asText(_id)} ${asText(_uuid)}`;
const versions = jsonOf($('Get the approved submissions').all()).map(versionOf);
const unedited = jsonOf($input.all())
	.filter((one) => versions.includes(versionOf(one)))
	.map(({ _id }) => asText(_id));
const answered = justAnswered((asked) =>
	asked.filter(({ row }) => unedited.includes(asText(row._id))),
);
const isAnother = ({ bookingID }: IDataObject) => asText(bookingID).startsWith('not ');

export default itemsOf(
	answered.map((row) =>
		isAnother(row) ? { ...row, Plot: row.Plot || `submission ${asText(row._id)}` } : row,
	),
);
