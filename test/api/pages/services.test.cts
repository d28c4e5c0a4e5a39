import { load } from '../../support/loads.cts';
import { READERS, type Outcome } from './readers.cts';
import { allCases, type Case } from './services.cts';

// All services with LOADS=full, else one of 37. SERVICES=print prints what came of them.
const isWhole = load(1, 0) === 1;
const cases = allCases().filter((_, at) => isWhole || at % 37 === 0);
const isPrinted = process.env.SERVICES === 'print';

/** Silent losses, losses with a warning, and errors, at most: as many as came when this was written. */
type Most = [silent: number, warned: number, errors: number];

/** Whether nothing shows that records are missing: the count is wrong, or the list changes while a page is wrong. */
function isUnknowable({ style }: Case): boolean {
	const { count, envelope, changes, glitch } = style;
	return count !== 'right' || envelope === 'array' || (changes && glitch) !== undefined;
}

it.each<[string, Most, Most]>([
	['Return All', isWhole ? [284, 39, 3_587] : [7, 0, 99], isWhole ? [294, 39, 3_610] : [8, 0, 99]],
	['Create', isWhole ? [311, 0, 3_587] : [7, 0, 99], isWhole ? [269, 0, 3_572] : [6, 0, 97]],
])(
	'%s, of services that deviate in up to two ways',
	async (name, ...most) => {
		const sums: Record<string, number> = {};
		const add = (what: string) => (sums[what] = (sums[what] ?? 0) + 1);
		const sumOf = (at: number, outcome: Outcome) => sums[`${at + 1}: ${outcome}`] ?? 0;
		const unexpected: string[] = [];
		for (const given of cases) {
			const readings = (await READERS[name]?.(given)) ?? [];
			for (const [at, outcome] of readings.entries()) {
				add(`${at + 1}: ${outcome}`);
				const isSilent = outcome === 'silent loss' && !isUnknowable(given);
				if (isSilent || outcome === 'wrong')
					unexpected.push(`${given.name}, reading ${at + 1}: ${outcome}`);
			}
		}
		if (isPrinted) process.stdout.write(`${name}, ${cases.length}: ${JSON.stringify(sums)}\n`);
		expect(unexpected).toEqual([]);
		const outcomes = ['silent loss', 'loss with a warning', 'error'] as const;
		const counted = [0, 1].map((at) => outcomes.map((outcome) => sumOf(at, outcome)));
		const atMost = counted.map((one, at) =>
			one.map((sum, of) => Math.min(sum, most[at]?.[of] ?? 0)),
		);
		expect(counted).toEqual(atMost);
	},
	load(3_600_000, 120_000),
);
