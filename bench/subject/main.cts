import type { IDataObject } from 'n8n-workflow';
import type { Run, Setup } from '../contenderProcess.cts';
import { CONTENDERS, type Contender } from './contenders.cts';
import { Engine } from './engine.cts';

async function measure(contender: Contender, rows: IDataObject[]): Promise<Run> {
	const cpuBefore = process.cpuUsage();
	const start = performance.now();
	let [items, error]: [IDataObject[], string | undefined] = [[], undefined];
	try {
		items = await contender.run(rows);
	} catch (thrown) {
		// What n8n keeps of an execution's error is an object.
		error = String((thrown as Partial<Error>).message ?? thrown);
	}
	const seconds = (performance.now() - start) / 1_000;
	const { user, system } = process.cpuUsage(cpuBefore);
	// The HTTP Request node gives an item for each page of a list.
	const bookings = items.flatMap((item) => (item.results as IDataObject[] | undefined) ?? [item]);
	return {
		seconds,
		cpuMs: (user + system) / 1_000,
		ids: bookings.map(({ bookingID }) => Number(bookingID)),
		bytesKept: (await contender.bytesKept?.()) ?? 0,
		error,
	};
}

/** Runs a contender whenever the parent process sends rows, and sends back what came of it. */
async function main(): Promise<void> {
	const setup = JSON.parse(process.argv[2] ?? '') as Setup;
	const start = CONTENDERS[setup.group][setup.contender];
	if (!start) throw new Error(`There is no contender ${setup.contender}`);
	const contender = await start(await Engine.start(setup));
	process.on('message', (rows: IDataObject[]) => {
		void measure(contender, rows).then((run) => process.send?.(run));
	});
}

process.on('disconnect', () => process.exit());
void main();
