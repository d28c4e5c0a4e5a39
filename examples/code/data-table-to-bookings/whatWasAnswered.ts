// A row that was changed or moved since is not the one that was asked about.
import type { IDataObject } from 'n8n-workflow';
import { itemsOf, jsonOf } from '../items';
import { answersGiven, type AskedRow } from '../possibleDuplicates';

export default itemsOf(
	answersGiven(
		jsonOf($('What may be booked already').all<AskedRow>()),
		$('Ask the officer').first<{ data?: IDataObject }>().json.data ?? {},
		jsonOf($input.all()),
		'id',
	),
);
