import type { IExecuteFunctions } from 'n8n-workflow';

import { listTractorDetails } from '../../api/endpoints';
import { settle, ServiceError } from '../../api/errors';
import { field } from '../../methods/fields';
import { optionsCollection } from '../descriptions';
import { clientFor, eachItem, getParameter, type ItemResult, type Operation } from '../operation';
import { parseIds } from '../../parse/ids';
import { unwrap } from '../../parse/issue';

const LABEL = 'Tractor IDs';

async function run(context: IExecuteFunctions): Promise<ItemResult[]> {
	const client = await clientFor(context, 'apiKey');
	const idsOf = (itemIndex: number) => {
		const value = getParameter(context, 'tractorIds', itemIndex);
		return unwrap(parseIds(value), LABEL, value);
	};
	const wanted = context.getInputData().flatMap((_item, itemIndex) => {
		try {
			return idsOf(itemIndex);
		} catch {
			// Thrown again below, as the failure of its item.
			return [];
		}
	});
	const details = await settle(listTractorDetails(client, wanted));
	return await eachItem(context, async (itemIndex) => {
		const ids = idsOf(itemIndex);
		if (details instanceof ServiceError) throw details;
		const records = ids.map((id) => details.get(id)).filter((record) => record !== undefined);
		const missing = ids.filter((id) => !details.has(id));
		if (missing.length === 0) return records;
		const message = `The service returned no details for tractor ${missing.join(', ')}`;
		const description = 'Check the tractor ID, e.g. with Tractor > Find Nearby.';
		throw new ServiceError('notFound', message, { status: 404, description });
	});
}

/** Tractor > Get (interface, "Tractor details"); the IDs of all items are sent in as few requests as possible. */
export const get: Operation = {
	name: 'Get',
	action: 'Get tractor details',
	description: 'Get the details of one or more tractors',
	run,
	fields: [
		field(
			LABEL,
			'tractorIds',
			'string',
			'',
			'Comma-separated tractor IDs, or an expression that returns a number, a text or a list. The tractors of all input items are requested together.',
			{ required: true, placeholder: 'e.g. 1042, 1057' },
		),
		optionsCollection(),
	],
};
