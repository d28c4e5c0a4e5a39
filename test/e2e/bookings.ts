import { setTimeout as wait } from 'node:timers/promises';

import { formPath, rowsShown, spreadsheetWorkflow } from '../../tools/examples';
import type { N8n } from '../../tools/n8nHost/n8n';
import { asText } from '../../nodes/TractorBooking/utils/text';
import type { Booking, FaultRule, Sandbox } from '../../sandbox';
import type { Report, ScenarioText } from './report';
import { countBy } from './report';
import {
	BURST,
	bookingsSince,
	keyOfBooking,
	keyOfRow,
	mismatches,
	rowsOfSheet,
	sheetOf,
} from './sheet';
import type { Theatre } from './stage';

/** Rows of the sheet. */
const ROWS = 200;

/** Bookings that are there before, so that the scan of the list takes several pages. */
const BEFORE = 500;

/** Milliseconds that the service takes for a request: the rows take some ten seconds. */
const LATENCY_MS = 40;

/** How long n8n may take until it has booked what it has to before it is killed. */
const LIMIT_MS = 120_000;

export interface BookingScenario extends ScenarioText {
	/** Folder of n8n. */
	name: string;
	kills: number;
	/** Faults of the service. */
	faults?: FaultRule[];
}

/** Kills n8n again and again while it books the rows of a sheet, then lets it do so in peace. */
export class BookingKills {
	private readonly rows = rowsOfSheet(ROWS);
	private readonly before: ReadonlySet<number>;

	private constructor(
		private readonly theatre: Theatre,
		private readonly scenario: BookingScenario,
		private readonly n8n: N8n,
		private readonly sandbox: Sandbox,
		private readonly sheet: Buffer,
		private readonly workflowId: string,
	) {
		this.before = new Set(sandbox.store.bookings.ids('A'));
	}

	static async run(theatre: Theatre, scenario: BookingScenario): Promise<Report> {
		const sandbox = await theatre.startSandbox({
			bookings: BEFORE,
			latencyMs: LATENCY_MS,
			rateLimits: { create: null },
		});
		for (const fault of scenario.faults ?? []) sandbox.faults.add(fault);
		const n8n = await theatre.startN8n(scenario.name, sandbox);
		const workflowId = await n8n.client.importWorkflow(await spreadsheetWorkflow());
		await n8n.client.publishWorkflow(workflowId);
		const sheet = await sheetOf(rowsOfSheet(ROWS));
		return await new BookingKills(theatre, scenario, n8n, sandbox, sheet, workflowId).run();
	}

	private async run(): Promise<Report> {
		const { kills, title, story, expected } = this.scenario;
		const found: number[] = [];
		for (let kill = 1; kill <= kills; kill++) {
			const there = await this.killDuringRun(kill);
			found.push(there);
			await this.theatre.startAgain(this.n8n);
		}
		const last = await this.runUndisturbed();
		const struck = this.sandbox.faults.list().reduce((sum, { hits }) => sum + hits, 0);
		return {
			title,
			story,
			expected,
			facts: [
				`${ROWS} rows, ${kills} kills (at ${found.join(', ')} bookings), then one undisturbed run`,
				...(struck > 0 ? [`${struck} responses of the service were lost`] : []),
				`bookings: ${this.made().length}; requests to create: ${this.sandbox.requests.count('create')}`,
				`undisturbed run: ${last.summary}`,
			],
			violations: [...last.violations, ...mismatches(this.rows, this.made(), kills * BURST)],
		};
	}

	/** The bookings made since the beginning. */
	private made(): Booking[] {
		return bookingsSince(this.sandbox, this.before);
	}

	/** Uploads the sheet; the promise is settled when the last page of the form was shown, or n8n is gone. */
	private async upload(): Promise<unknown> {
		const file = { name: 'requests.xlsx', content: this.sheet };
		return await this.n8n.client.submitForm(formPath, [file]).catch((error: unknown) => error);
	}

	/**
	 * The first kill strikes while the list is read, the others when so many bookings are there: the kills are
	 * spread over the rows, each at a random place, at a random moment of a request.
	 */
	private async killDuringRun(kill: number): Promise<number> {
		const { kills } = this.scenario;
		const { requests } = this.sandbox;
		const isFirst = kill === 1;
		// Rows that a killed run has claimed are not sent before the last run is over.
		const reach = ROWS - kills * BURST;
		const share = reach / Math.max(1, kills - 1);
		const target = isFirst ? 0 : Math.floor((kill - 2 + Math.random()) * share);
		const scanned = requests.count('bookings') + Math.ceil(Math.random() * (BEFORE / 100));
		const posted = requests.count('create');
		const isDue = () =>
			isFirst
				? requests.count('bookings') >= scanned
				: requests.count('create') > posted && this.made().length >= target;
		const uploaded = this.upload();
		const end = Date.now() + LIMIT_MS;
		while (!isDue()) {
			if (Date.now() > end)
				throw new Error(`n8n did not come to booking ${target}.\n${await this.n8n.logEnd()}`);
			await wait(3);
		}
		await wait(Math.random() * 2 * LATENCY_MS);
		await this.n8n.kill();
		await uploaded;
		// What was under way when n8n died still arrives.
		await wait(4 * LATENCY_MS);
		const there = this.made().length;
		const moment = isFirst ? 'while the list was read' : 'while rows were sent';
		console.log(`  kill ${kill} of ${kills} ${moment}: ${there} bookings there`);
		return there;
	}

	private async runUndisturbed() {
		const known = await this.n8n.client.executions(this.workflowId);
		await this.upload();
		const execution = await this.n8n.client.nextExecution(this.workflowId, known);
		// The page before has each row as it will be booked.
		const results = rowsShown(execution).slice(-ROWS);
		const counts = countBy(results, ({ result }) => asText(result));
		const bookingOf = new Map(
			this.made().map((booking) => [keyOfBooking(booking), booking.bookingID]),
		);
		const violations: string[] = [];
		if (execution.status !== 'success')
			violations.push(`The last run ended with ${execution.status}.`);
		this.rows.forEach((row, index) => {
			const {
				result,
				bookingID: id,
				reason,
			} = results.find(({ row_number: number }) => number === index + 2) ?? {};
			const booked = bookingOf.get(keyOfRow(row));
			// A run that was killed has claimed it: whether it was booked is up to the list until the claim ends.
			const isWaiting = result === 'unknown' && booked === undefined;
			const isGood = result === 'created' || result === 'already booked';
			if (!isWaiting && (!isGood || id !== booked)) {
				const report = [result, reason, id].map(asText).join(', ');
				violations.push(`Row ${index + 2} is reported as ${report}.`);
			}
		});
		const summary = [...counts].map(([result, count]) => `${count} ${result}`).join(', ');
		console.log(`  undisturbed run: ${summary}`);
		return { summary, violations };
	}
}
