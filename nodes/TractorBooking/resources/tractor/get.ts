import type { IExecuteFunctions } from 'n8n-workflow';

import { listTractorDetails } from '../../api/endpoints';
import { ServiceError } from '../../api/errors';
import { field } from '../../methods/fields';
import { optionsCollection } from '../descriptions';
import { clientFor, eachItem, getParameter, type ItemResult, type Operation } from '../operation';
import { parseIds } from '../../parse/ids';
import { unwrap } from '../../parse/issue';

const LABEL = 'Tractor IDs';

async function run(context: IExecuteFunctions): Promise<ItemResult[]> {
	const client = await clientFor(context, 'apiKey');
	return await eachItem(context, async (itemIndex) => {
		const value = getParameter(context, 'tractorIds', itemIndex);
		const ids = unwrap(parseIds(value), LABEL, value);
		const details = await listTractorDetails(client, ids);
		const missing = ids.filter((id) => !details.has(id));
		if (missing.length === 0) return [...details.values()];
		const message = `The service returned no details for tractor ${missing.join(', ')}`;
		const description = 'Check the tractor ID, e.g. with Tractor > Find Nearby.';
		throw new ServiceError('notFound', message, { status: 404, description });
	});
}

export const get: Operation = {
	run,
	fields: [
		field(
			LABEL,
			'tractorIds',
			'string',
			'',
			'Comma-separated tractor IDs, or an expression that returns a number, a text or a list.',
			{ required: true, placeholder: 'e.g. 1042, 1057' },
		),
		optionsCollection(),
	],
};
