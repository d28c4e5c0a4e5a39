// A row that was changed or moved since is not the one that was asked about.
import type { IDataObject } from 'n8n-workflow';
import { itemsOf, jsonOf } from '../items';
import { answeredRows, unchanged, type AskedRow } from '../possibleDuplicates';

export default itemsOf(
	answeredRows(
		unchanged(jsonOf($('What may be booked already').all<AskedRow>()), jsonOf($input.all()), 'id'),
		$('Ask the officer').first<{ data?: IDataObject }>().json.data ?? {},
	),
);
