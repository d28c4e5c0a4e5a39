// A submission that was edited since, has another status or is gone, is not the one that was asked about.
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

export default itemsOf(
	justAnswered((asked) => asked.filter(({ row }) => unedited.includes(asText(row._id)))),
);
