import type { ServiceClient } from '../../api/client';
import { listContractsPage } from '../../api/endpoints';
import { identifierOf } from '../../api/identifiers';
import type { PagedList } from '../../api/pages/pages';
import { collectList } from '../../api/pages/pages';
import { listOperation } from '../listOperation';

function contractsList(client: ServiceClient): PagedList {
	return {
		what: 'contracts',
		// The identifying field is a guess (not documented), so only records that are equal throughout are duplicates.
		keyOf: (contract) =>
			identifierOf(contract, 'contract') === undefined ? undefined : JSON.stringify(contract),
		fetchPage: async (page, size, signal) => await listContractsPage(client, page, size, signal),
	};
}

/** Contract > Get Many. */
export const getMany = listOperation(
	async (client, limit) => await collectList(contractsList(client), limit),
);
