import { setTimeout as wait } from 'node:timers/promises';

import { DECLINED } from '../../nodes/TractorBooking/api/status';
import type { N8n } from '../../tools/n8nHost/n8n';
import type { LateService } from '../support/lateService';
import type { Report } from './report';
import type { Theatre } from './stage';
import {
	postRows,
	resultsOf,
	rowMaker,
	startLateService,
	timesBooked,
	webhookWorkflow,
	type Rows,
} from './webhook';

const ROWS = 4;

/** The list shows a new booking so late that no search for a lost response finds it. */
const VERY_LATE_MS = 120_000;
const LATE_MS = 10_000;

/** How a workflow books the rows that it gets. */
const WORKFLOWS = {
	plain: {},
	'retry on fail': { settings: { retryOnFail: true, maxTries: 3, waitBetweenTries: 1_000 } },
	loop: { isLooped: true },
	'stop at an error': { settings: { onError: 'stopWorkflow' } },
	'ignore declined': { options: { ignoredStatuses: [DECLINED] } },
	'create anyway': { options: { ifAlreadyBooked: 'create' } },
} as const;

type Workflow = keyof typeof WORKFLOWS;

/** Books the same rows again in the ways in which it happens, with n8n's own memory of what was sent. */
export class Again {
	private readonly facts: string[] = [];
	private readonly violations: string[] = [];
	private readonly ids = new Map<Workflow, string>();
	private readonly newRows = rowMaker(ROWS);

	private constructor(
		private readonly theatre: Theatre,
		private readonly service: LateService,
		private readonly n8n: N8n,
	) {}

	static async run(theatre: Theatre): Promise<Report> {
		const service = await startLateService(theatre);
		const n8n = await theatre.startN8n('again', service);
		const scenario = new Again(theatre, service, n8n);
		await scenario.publish();
		await scenario.twiceAtOnce();
		await scenario.looped();
		await scenario.retried();
		await scenario.runAgain();
		await scenario.declined();
		await scenario.onPurpose();
		await scenario.restarted();
		return {
			title: 'The same rows are booked again',
			story: `${ROWS} rows are booked, and booked again at once, by Loop Over Items, by Retry On Fail, by a failed execution that is run again, after a booking was declined, and after n8n was killed right after a response was lost, at a service whose list shows new bookings late.`,
			expected:
				'No row is booked twice, but where the operator wants it: with *Create Anyway*, and in the place of a declined booking.',
			facts: scenario.facts,
			violations: scenario.violations,
		};
	}

	private async publish(): Promise<void> {
		const { client } = this.n8n;
		for (const [name, how] of Object.entries(WORKFLOWS)) {
			const path = name.replaceAll(' ', '-');
			const id = await client.importWorkflow(await webhookWorkflow({ path, ...how }));
			await client.publishWorkflow(id);
			this.ids.set(name as Workflow, id);
		}
	}

	private idOf(workflow: Workflow): string {
		return this.ids.get(workflow) ?? '';
	}

	private async start(workflow: Workflow, rows: Rows): Promise<void> {
		await postRows(this.n8n, workflow.replaceAll(' ', '-'), rows);
	}

	/** Books rows, and waits for the results. */
	private async book(workflow: Workflow, rows: Rows): Promise<string> {
		const known = await this.n8n.client.executions(this.idOf(workflow));
		await this.start(workflow, rows);
		return resultsOf(await this.n8n.client.nextExecution(this.idOf(workflow), known));
	}

	/** @param expected how often each row is to be booked */
	private check(what: string, rows: Rows, results: string[], expected = rows.map(() => 1)): void {
		const times = timesBooked(this.service, rows);
		const fact = `${what}: ${results.join('; then ')}; booked ${times.join(', ')} times`;
		this.facts.push(fact);
		console.log(`  ${fact}`);
		if (times.join() !== expected.join())
			this.violations.push(`${what}: booked ${times.join()} times, not ${expected.join()}.`);
	}

	private async twiceAtOnce(): Promise<void> {
		this.service.listedAfterMs = LATE_MS;
		const rows = this.newRows();
		const first = this.book('plain', rows);
		await wait(500);
		await this.start('plain', rows);
		const results = [await first, await this.book('plain', rows)];
		await this.quiet();
		this.check('three times within a minute, list 10 s late', rows, results);
	}

	private async looped(): Promise<void> {
		const rows = this.newRows();
		const results = [await this.book('loop', rows), await this.book('loop', rows)];
		this.check('Loop Over Items, twice, list 10 s late', rows, results);
	}

	/** Every second row is booked, and its response is lost. */
	private async retried(): Promise<void> {
		const rows = this.newRows();
		this.service.fate = (_, count) => (count % 2 === 0 ? 'lost' : 'booked');
		const results = [await this.book('retry on fail', rows)];
		this.service.fate = () => 'booked';
		this.check('Retry On Fail, every second response lost, list 10 s late', rows, results);
	}

	/** The second row is refused, so that the execution fails; then it is run again. */
	private async runAgain(): Promise<void> {
		const rows = this.newRows();
		const [, second] = rows;
		this.service.fate = ({ farmerName }) =>
			farmerName === second?.['Farmer name'] ? 'refused' : 'booked';
		const results = [await this.book('stop at an error', rows)];
		this.service.fate = () => 'booked';
		results.push(await this.book('stop at an error', rows));
		this.check('a failed execution is run again, list 10 s late', rows, results);
	}

	private async declined(): Promise<void> {
		this.service.listedAfterMs = 0;
		const rows = this.newRows();
		const results = [await this.book('ignore declined', rows)];
		const [first] = rows;
		const booking = this.service.bookings.find(
			({ farmerName }) => farmerName === first?.['Farmer name'],
		);
		if (booking) booking.bookingStatus = DECLINED;
		for (let run = 0; run < 2; run++) results.push(await this.book('ignore declined', rows));
		const expected = rows.map((row) => (row === first ? 2 : 1));
		this.check('one is declined, and its status ignored', rows, results, expected);
	}

	private async onPurpose(): Promise<void> {
		const rows = this.newRows();
		const results = [
			await this.book('create anyway', rows),
			await this.book('create anyway', rows),
		];
		this.check(
			'Create Anyway, twice',
			rows,
			results,
			rows.map(() => 2),
		);
	}

	/** The response of the second row is lost, and n8n is killed at once; then the rows are booked again. */
	private async restarted(): Promise<void> {
		this.service.listedAfterMs = VERY_LATE_MS;
		const rows = this.newRows();
		const [, second] = rows;
		let lose: () => void = () => undefined;
		const lost = new Promise<void>((resolve) => (lose = resolve));
		this.service.fate = async ({ farmerName }) => {
			if (farmerName !== second?.['Farmer name']) return 'booked';
			lose();
			await wait(100);
			return 'lost';
		};
		await this.start('plain', rows);
		await lost;
		await wait(200);
		await this.n8n.kill();
		this.service.fate = () => 'booked';
		await this.theatre.startAgain(this.n8n);
		const early = await this.book('plain', rows);
		await wait(VERY_LATE_MS);
		const late = await this.book('plain', rows);
		// Rows that were claimed and not sent wait until their claims end, and are told of.
		const left = timesBooked(this.service, rows).filter((count) => count === 0).length;
		const expected = rows.map((_, at) => (at < rows.length - left ? 1 : 0));
		this.check(
			'n8n is killed at a lost response, list 2 minutes late',
			rows,
			[early, late],
			expected,
		);
		if (left > rows.length - 2 || (left > 0 && !late.includes(`${left} unknown`)))
			this.violations.push(`After the restart: ${late}, with ${left} rows not booked.`);
	}

	/** Waits until no execution runs any more. */
	private async quiet(): Promise<void> {
		for (let made = -1; made !== this.service.bookings.length; await wait(3_000))
			made = this.service.bookings.length;
	}
}
