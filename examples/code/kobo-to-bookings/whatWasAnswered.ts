import type { IDataObject } from 'n8n-workflow';
import { itemsOf, jsonOf } from '../items';
import { answeredRows, type AskedRow } from '../possibleDuplicates';

export default itemsOf(
	answeredRows(
		jsonOf($('What may be booked already').all<AskedRow>()),
		$('Ask the officer').first<{ data?: IDataObject }>().json.data ?? {},
	),
);
