import type { IDataObject } from 'n8n-workflow';
import { median } from 'simple-statistics';
import { startSandbox, type SandboxOptions } from '../sandbox/index.cts';
import { measureInTurn, type Bench, type Installation } from './bench.cts';
import { ContenderProcess } from './contenderProcess.cts';
import { CONTENDERS, LIMIT } from './subject/contenders.cts';
import { combine, tableOf, type Sample } from './table.cts';

/** What each request waits at the service, in milliseconds. */
export const LATENCY_MS = 20;

/** What a slow service takes for a booking, in milliseconds. */
const SLOW_ANSWER_MS = 4_000;

/** Something to do, and how the service behaves meanwhile. */
interface Work {
	title: string;
	group: 'returnAll' | 'create';
	/** Who does it. */
	contenders: string[];
	rounds: number;
	sandbox: SandboxOptions;
	/** What each booking takes beyond the latency, in milliseconds. */
	slowAnswerMs?: number;
	/** Executed before the measurement, as in an n8n that has been running for long. */
	rowsBefore?: IDataObject[];
	rows: IDataObject[];
}

const [OURS = ''] = Object.keys(CONTENDERS.create);

const inAMonth = new Date(Date.now() + 30 * 86_400_000).toISOString().slice(0, 10);

function rowsToBook(count: number, firstPhone = 12_345_000): IDataObject[] {
	return Array.from({ length: count }, (_, row) => ({
		tractorId: 201,
		serviceType: 1,
		serviceDate: inAMonth,
		// Rows of one name and day may be the same job.
		farmerName: `Farmer ${(firstPhone + row) % 1_000}`,
		farmerPhone: `+23480${firstPhone + row}`,
		landArea: 2,
		areaType: 'ha',
	}));
}

/** @param scale less than 1 for a smaller work, here and below */
export function returnAll(scale: number): Work {
	const bookings = 10_000 * scale;
	return {
		title: `Return All, ${bookings} bookings, 100 a page, ${LATENCY_MS} ms a request`,
		group: 'returnAll',
		contenders: Object.keys(CONTENDERS.returnAll),
		// It takes seconds, and short measurements vary more.
		rounds: 7,
		sandbox: { bookings, latencyMs: LATENCY_MS },
		rowsBefore: [{}],
		rows: [{}],
	};
}

export function create(scale: number): Work {
	const rows = 500 * scale;
	const limitSeconds = (Math.ceil(rows / LIMIT) - 1) * 60;
	return {
		title: `${rows} creations at ${LIMIT} a minute (the limit dictates ${limitSeconds} s)`,
		group: 'create',
		contenders: Object.keys(CONTENDERS.create),
		// Each takes minutes, nearly all of them spent waiting.
		rounds: 1,
		sandbox: { latencyMs: LATENCY_MS, rateLimits: { create: LIMIT } },
		rows: rowsToBook(rows),
	};
}

export function createOne(scale: number): Work {
	const bookings = 100_000 * scale;
	return {
		title: `One creation with ${bookings} bookings before it, not the first of its process`,
		group: 'create',
		contenders: [OURS],
		rounds: 3,
		sandbox: { bookings, latencyMs: LATENCY_MS },
		rowsBefore: rowsToBook(1, 99_999_999),
		rows: rowsToBook(1),
	};
}

export function createSlow(scale: number): Work {
	const rows = 500 * scale;
	return {
		title: `${rows} creations at ${LIMIT} a minute, ${SLOW_ANSWER_MS / 1_000} s for each response (the limit dictates ${rows / LIMIT} minutes)`,
		group: 'create',
		contenders: [OURS],
		// How many go at once depends on true times, so that this one takes minutes.
		rounds: 1,
		sandbox: { rateLimits: { create: LIMIT } },
		slowAnswerMs: SLOW_ANSWER_MS,
		rows: rowsToBook(rows),
	};
}

/** Does a work once. */
async function doWork(
	installation: Installation,
	{ group, sandbox: options, slowAnswerMs: ms, rowsBefore, rows }: Work,
	name: string,
): Promise<Sample> {
	const sandbox = await startSandbox(options);
	const contender = new ContenderProcess(installation, sandbox, group, name);
	try {
		if (ms) sandbox.faults.add({ match: { endpoint: 'create' }, fault: { kind: 'latency', ms } });
		if (rowsBefore) await contender.run(rowsBefore);
		sandbox.requests.clear();
		const { seconds, ids, error } = await contender.run(rows);
		// The others are meant to fail at the limit.
		if (name === OURS && error !== undefined) throw new Error(`${name}: ${error}`);
		const { requests } = sandbox;
		const made = requests.find({ endpoint: 'create', status: 200 });
		const booked = new Set(made.map(({ body }) => JSON.stringify(body))).size;
		return {
			seconds,
			requests: requests.find().length,
			'refused (429)': requests.find({ status: 429 }).length,
			'bookings in the output': ids.length,
			...(group === 'create' && {
				'rows not booked': rows.length - booked,
				'booked again': made.length - booked,
			}),
		};
	} finally {
		contender.stop();
		await sandbox.close();
	}
}

export async function measureWork(bench: Bench, work: Work): Promise<string[]> {
	const { title, contenders, rounds } = work;
	const measured = await measureInTurn(
		bench,
		contenders,
		rounds,
		async (name) => await doWork(bench.installation, work, name),
	);
	const rows = measured.map(([name, samples]) => ({ '': name, ...combine(samples, median) }));
	return [`## ${title}`, tableOf(rows)];
}
