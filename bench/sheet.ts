import type { IDataObject, IExecuteFunctions, INodeExecutionData } from 'n8n-workflow';
import { performance } from 'node:perf_hooks';

import { parseRows } from '../nodes/TractorBooking/resources/booking/create/rows';

// How long reading a large sheet keeps n8n from everything else: `npx tsx bench/sheet.ts`.

const parameters: IDataObject = {
	tractorSelection: 'id',
	phoneCountry: 'NG',
	dateOrder: 'refuse',
	dryRun: true,
	options: { otherColumns: 'ignore' },
};

/** What the reader asks of n8n. */
function contextOf(items: INodeExecutionData[], more: IDataObject = {}): IExecuteFunctions {
	const own = { ...parameters, ...more };
	return {
		getInputData: () => items,
		getNode: () => ({ parameters: own }),
		getNodeParameter: (name: string, _item: number, fallback: unknown) => own[name] ?? fallback,
		getTimezone: () => 'Africa/Lagos',
	} as unknown as IExecuteFunctions;
}

function rowsOf(count: number, columns: number, cell: string, day: string): INodeExecutionData[] {
	const others = Array.from({ length: columns }, (_, at) => `Column ${at}`);
	return Array.from({ length: count }, (_, at) => ({
		json: {
			Name: `Farmer ${at}`,
			Phone: `080${31_234_501 + at}`,
			Tractor: 201 + (at % 50),
			Service: 3,
			'Service Date': day,
			'Area (ha)': 2,
			Latitude: 10 + (at % 100) / 100,
			Longitude: 7 + (at % 90) / 100,
			...Object.fromEntries(others.map((name) => [name, `${at} ${cell}`])),
		},
	}));
}

/** Runs work, and measures the longest time in which no timer fired, in milliseconds. */
async function measure(work: () => Promise<unknown>): Promise<{ total: number; longest: number }> {
	let [last, longest] = [performance.now(), 0];
	const look = () => {
		const now = performance.now();
		longest = Math.max(longest, now - last);
		last = now;
	};
	const timer = setInterval(look, 1);
	const began = performance.now();
	await work();
	look();
	clearInterval(timer);
	return { total: performance.now() - began, longest };
}

async function main(): Promise<void> {
	const day = new Date(Date.now() + 20 * 86_400_000).toISOString().slice(0, 10);
	const cases: Array<[string, INodeExecutionData[]]> = [
		['50,000 rows, 8 columns', rowsOf(50_000, 0, '', day)],
		['50,000 rows, 40 columns', rowsOf(50_000, 32, 'note', day)],
		['2,000 rows, 200 columns of 2,000 characters', rowsOf(2_000, 192, 'x'.repeat(2_000), day)],
	];
	for (const [what, items] of cases)
		for (const isExpression of [false, true]) {
			const context = contextOf(items, isExpression ? { note: '={{ 1 }}' } : {});
			const { total, longest } = await measure(async () => {
				const { rows } = await parseRows(context, 'columns', new Date());
				const right = rows.filter(({ kind }) => kind === 'parsed').length;
				if (right !== items.length) throw new Error(`Only ${right} rows were read`);
			});
			const how = isExpression ? ', an expression' : '';
			console.log(
				`${what}${how}: ${total.toFixed(0)} ms, at most ${longest.toFixed(0)} ms at a time`,
			);
		}
}

void main();
