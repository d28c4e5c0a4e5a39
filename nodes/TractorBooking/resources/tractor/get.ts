import type { IExecuteFunctions } from 'n8n-workflow';

import { listTractorDetails } from '../../api/details';
import { settle, ServiceError } from '../../api/errors';
import { field } from '../../methods/fields';
import { optionsCollection } from '../descriptions';
import type { ItemResult, Operation } from '../operation';
import { clientFor, getParameter } from '../operation';
import { parseIds } from '../../parse/ids';
import { unwrap } from '../../parse/issue';

const LABEL = 'Tractor IDs';

/** The tractor IDs of each item, or the error if they are invalid. */
function idsOfItems(context: IExecuteFunctions): Array<{ ids: string[]; failure?: unknown }> {
	return context.getInputData().map((_, itemIndex) => {
		try {
			const value = getParameter(context, 'tractorIds', itemIndex);
			return { ids: unwrap(parseIds(value), LABEL, value) };
		} catch (failure) {
			return { ids: [], failure };
		}
	});
}

function unknownIds(ids: string[]): ServiceError {
	return new ServiceError(
		'notFound',
		`The service returned no details for tractor ${ids.join(', ')}`,
		{
			status: 404,
			description:
				'The service does not know it. Check the TractorID, e.g. with Tractor > Find Nearby.',
		},
	);
}

async function run(context: IExecuteFunctions): Promise<ItemResult[]> {
	const client = await clientFor(context, 'apiKey');
	const items = idsOfItems(context);
	const hasInvalid = items.some(({ failure }) => failure !== undefined);
	const stopsHere = hasInvalid && !context.continueOnFail();
	const wanted = stopsHere ? [] : items.flatMap(({ ids }) => ids);
	const details = await settle(listTractorDetails(client, wanted));

	return items.map(({ ids, failure }) => {
		if (failure !== undefined || stopsHere) return { records: [], failure };
		if (details instanceof ServiceError) return { records: [], failure: details };
		const records = ids.flatMap((id) => {
			const record = details.get(id);
			return record ? [{ ...record }] : [];
		});
		const missing = ids.filter((id) => !details.has(id));
		return missing.length === 0 ? { records } : { records, failure: unknownIds(missing) };
	});
}

/** Tractor > Get; the IDs of all items are sent in as few requests as possible. */
export const get: Operation = {
	run,
	fields: [
		field(
			LABEL,
			'tractorIds',
			'string',
			'',
			'Comma-separated TractorIDs, or an expression that returns a number, a text or a list. The tractors of all input items are requested together.',
			{ required: true, placeholder: 'e.g. 1042, 1057' },
		),
		optionsCollection(),
	],
};
