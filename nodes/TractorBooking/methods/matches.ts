import type { IDataObject, ILoadOptionsFunctions } from 'n8n-workflow';

import { connect, POLL_POLICY, type AuthScheme, type ServiceClient } from '../api/client';
import { toNodeError, withEscapedTexts } from '../api/errors';
import { fold } from '../utils/text';

export type ListOption = { name: string; value: string };

/** The options for the records whose names hold the filter, each once. A record without an ID cannot be chosen. */
export function matching(
	records: readonly IDataObject[],
	toOption: (record: IDataObject) => ListOption,
	filter = '',
): ListOption[] {
	const wanted = fold(filter);
	const options = new Map(records.map(toOption).map((option) => [option.value, option]));
	options.delete('');
	return [...options.values()].filter(({ name }) => fold(name).includes(wanted));
}

/**
 * Runs a search for n8n's editor.
 *
 * @param find searches with a client for the credential of the scheme
 * @throws NodeApiError or NodeOperationError, which the editor shows
 */
export async function search<T>(
	context: ILoadOptionsFunctions,
	scheme: AuthScheme,
	find: (client: ServiceClient) => Promise<T>,
): Promise<T> {
	return await connect(context, scheme, POLL_POLICY)
		.then(find)
		.catch((error: unknown) => {
			throw withEscapedTexts(toNodeError(context.getNode(), error));
		});
}
