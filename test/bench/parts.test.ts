import type { Results } from '../../bench/parts';
import { hasAllParts, merge, PARTS } from '../../bench/parts';

const machine = { n8n: '2.40.7', node: '24.0.0', cores: 2 };
const cost = (milliseconds: number) => ({ milliseconds, bytes: 1 });
const start = (milliseconds: number) => ({ ours: cost(milliseconds), axios: cost(milliseconds) });

describe('results of parts of the bench', () => {
	const earlier: Results = { machine, parts: { start: start(1), growth: [] } };

	it('keeps what was measured earlier of the parts that were not run', () => {
		const now: Results = { machine, parts: { start: start(2), polls: [] } };

		expect(merge(earlier, now).parts).toEqual({ start: start(2), growth: [], polls: [] });
		expect(merge(undefined, now)).toEqual(now);
	});

	it('drops what was measured with another n8n', () => {
		const now: Results = { machine: { ...machine, n8n: '2.41.0' }, parts: { polls: [] } };

		expect(merge(earlier, now)).toEqual(now);
	});

	it('is complete when every part was run', () => {
		const parts = Object.fromEntries(PARTS.map((part) => [part, []])) as Results['parts'];

		expect(hasAllParts({ machine, parts })).toBe(true);
		expect(hasAllParts({ machine, parts: { ...parts, memory: undefined } })).toBe(false);
	});
});
