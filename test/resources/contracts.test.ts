import type { Sandbox } from '../../sandbox';
import { startSandbox } from '../../sandbox';
import { perform, recordsOf } from '../support/action';

let sandbox: Sandbox;

beforeAll(async () => (sandbox = await startSandbox({ contracts: 45, maxPageSize: 10 })));
beforeEach(() => sandbox.reset());
afterAll(async () => await sandbox.close());

describe('Contract > Get Many', () => {
	it('takes no two contracts for one, whatever their fields are called', async () => {
		for (const [index, contract] of sandbox.store.contracts.entries()) {
			contract.contract_id = Math.floor(index / 3);
		}
		const { items } = await perform(sandbox, 'contract:getAll', { returnAll: true });
		expect(recordsOf(items)).toEqual(sandbox.store.contracts);
	});
});
