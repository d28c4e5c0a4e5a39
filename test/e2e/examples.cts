import { readFile } from 'node:fs/promises';
import { join } from 'node:path';
import type { IDataObject } from 'n8n-workflow';

import { startSandbox, type Sandbox } from '../../sandbox/index.cts';
import { COMPLETED, DECLINED, TO_COMPLETED } from '../../nodes/TractorBooking/api/status';
import { asText } from '../../nodes/TractorBooking/utils/text';
import { labelOf } from '../../nodes/TractorBooking/resources/booking/create/row/fields';
import {
	nodeNamed,
	phoneCountry,
	readExample,
	runOften,
	type Settings,
} from '../../tools/examples.cts';
import { headings } from '../../tools/makeTemplate.cts';
import { type Execution, type N8nClient, type WorkflowFile } from '../../tools/n8nClient.cts';
import { until } from '../../tools/until.cts';
import { SheetDocument } from './googleSheets.cts';
import {
	anyGateway,
	createSmsCredentials,
	type Gateway,
	hostsOf,
	Officer,
	smsExamples,
} from './gateways.cts';
import { type HostAnswer, startInternet } from './internet.cts';
import { KoboForm } from './kobo.cts';
import { McpClient } from './mcp.cts';
import { mustBe, mustSay, takeSteps } from './report.cts';
import { dayAhead, fieldsOf, mustBeOne, newBookings, rowsOfSheet } from './sheet.cts';
import type { N8n } from '../../tools/n8nHost/n8n.cts';
import type { Theatre } from '../../tools/theatre.cts';

const TABLE = join(__dirname, '..', '..', 'examples', 'tractor-requests.csv');

const POLL_SECONDS = 5;
const PAIRED = 1;
const UNPAIRED = 5;

const REMARKS = 'Remarks';

/** Where the rows of a round trip are: in a sheet, or in a data table. They are counted from 0, as they were added. */
interface Requests {
	/** What is, or becomes, the value of *Ready*. */
	ready: Record<'yes' | 'waiting' | 'booked' | 'no', string | boolean>;
	/** Is written on a row that is booked, and stops nothing. */
	remark: IDataObject;
	/** @param row by the names of its columns in the data table */
	add: (row: IDataObject) => unknown;
	/** @returns a row with what the workflows wrote to it, by their names of it */
	read: (at: number) => Record<string, unknown> | Promise<Record<string, unknown>>;
	set: (at: number, change: IDataObject) => unknown;
}

function askIn7(workflow: WorkflowFile): void {
	const ask = nodeNamed(workflow, 'Ask the officer');
	ask.disabled = false;
	ask.parameters.chatId = '7';
}

/** Example workflows as users import them, once through what they are for; that of a spreadsheet has its own scenarios. */
class Examples {
	private readonly document = new SheetDocument('farmers', 'Requests', [...headings, REMARKS]);
	private readonly sms = smsExamples();
	/** One that is asked for its messages, and one that is not. */
	private readonly reliable = anyGateway();
	private readonly deaf = anyGateway();
	private readonly chat = anyGateway('ok');
	private readonly kobo = new KoboForm('aTractorRequests');
	private readonly officer = new Officer();
	private table = '';
	readonly hosts: Record<string, HostAnswer> = {
		'sheets.googleapis.com': this.document.answer,
		...hostsOf(this.sms),
		'sms-asked.example.com': this.reliable.answer,
		'sms-deaf.example.com': this.deaf.answer,
		'kf.kobotoolbox.org': this.kobo.answer,
		'api.telegram.org': this.officer.answer,
		'chat.example.com': this.chat.answer,
	};

	constructor(
		private readonly theatre: Theatre,
		private readonly sandbox: Sandbox,
		private readonly n8n: N8n,
	) {}

	private get client(): N8nClient {
		return this.n8n.client;
	}

	async run(): Promise<string[]> {
		await this.createCredentials();
		return await takeSteps({
			'google-sheets': async () => await this.roundTrip('google-sheets', this.inSheet(), 300),
			'data-table': async () => await this.roundTrip('data-table', await this.inTable(), 400),
			'kobo-to-bookings': async () => await this.koboToBookings(),
			'completion-to-sms': async () => await this.messages(),
			'booking-to-sms': async () => await this.fromTheBeginning(),
			'form-to-booking': async () => await this.form(),
			'daily-digest': async () => await this.digest(),
			'mcp-server': async () => await this.mcp(),
		});
	}

	private async createCredentials(): Promise<void> {
		await createSmsCredentials(this.client);
		const oauthTokenData = { access_token: 'google-token', token_type: 'Bearer' };
		const google = { clientId: 'client', clientSecret: 'secret', oauthTokenData };
		const kobo = { URL: 'https://kf.kobotoolbox.org/', token: 'token' };
		const credentials: Array<[name: string, type: string, data: IDataObject]> = [
			['Google Sheets account', 'googleSheetsOAuth2Api', google],
			['KoBoToolbox account', 'koBoToolboxApi', kobo],
			['Telegram account', 'telegramApi', { accessToken: 'token' }],
			['MCP server token', 'httpBearerAuth', { token: 'mcp-token' }],
		];
		for (const credential of credentials) await this.client.createCredential(...credential);
	}

	/** Publishes an example with what a user sets in it. @returns its ID */
	private async publish(
		name: string,
		settings: Settings = {},
		change: (workflow: WorkflowFile) => void = () => undefined,
	): Promise<string> {
		const workflow = runOften(await readExample(name, settings), POLL_SECONDS);
		for (const { type, parameters } of workflow.nodes)
			if (type === 'n8n-nodes-base.googleSheets')
				parameters.documentId = { __rl: true, mode: 'id', value: this.document.id };
		change(workflow);
		return await this.client.publishNew(workflow);
	}

	private async nextRun(id: string): Promise<Execution> {
		return await this.client.nextExecution(id, await this.client.executions(id));
	}

	private inSheet(): Requests {
		const { rows } = this.document;
		const headingOf = (name: string) => {
			if (name === 'ready') return 'Ready';
			return headings.includes(name) ? name : labelOf(name);
		};
		const cells = (of: IDataObject) =>
			Object.fromEntries(Object.entries(of).map(([name, value]) => [headingOf(name), value]));
		return {
			ready: { yes: 'yes ', waiting: '', booked: 'booked', no: 'no' },
			remark: { [REMARKS]: 'she paid' },
			add: (row) => rows.push(cells(row)),
			read: (at) => ({ ...rows[at], ready: rows[at]?.Ready }),
			set: (at, change) => Object.assign(rows[at] ?? {}, cells(change)),
		};
	}

	private async inTable(): Promise<Requests> {
		const { client } = this;
		const table = await client.importDataTable('tractor_requests', await readFile(TABLE));
		// The file's own row is left, and must never be booked.
		const [given] = await client.dataTableRows(table);
		mustBe('row of the file', [given?.ready, given?.bookingID || null], [false, null]);
		this.table = table;
		const read = async (at: number) => {
			const rows = await client.dataTableRows(table);
			return rows.sort((a, b) => Number(a.id) - Number(b.id))[at + 1] ?? {};
		};
		return {
			ready: { yes: true, waiting: false, booked: false, no: false },
			remark: {},
			add: async (row) => await client.addDataTableRows(table, [row]),
			read,
			set: async (at, change) =>
				await client.updateDataTableRow(table, (await read(at)).id, change),
		};
	}

	/** Examples 2 and 3: rows that are right, wrong or not ready, or may be booked: somebody is asked about these, or not. */
	private async roundTrip(
		source: 'google-sheets' | 'data-table',
		requests: Requests,
		first: number,
	): Promise<void> {
		const { ready, remark, add, set } = requests;
		const cell = async (at: number, name: string) => (await requests.read(at))[name] ?? '';
		const column = async (from: number, to: number, name: string) => {
			const cells = Array.from({ length: to - from }, async (_, at) => await cell(from + at, name));
			return await Promise.all(cells);
		};
		// A sheet has numbers in cells that are text in a data table.
		const ids = async (from: number, to: number) =>
			(await column(from, to, 'bookingID')).map(asText);
		const [good, faulty, waiting] = rowsOfSheet(3, first).map(fieldsOf);
		const made = newBookings(this.sandbox);
		await add({ ...good, ready: ready.yes });
		await add({ ...faulty, areaType: 'plots', ready: ready.yes });
		await add({ ...waiting, ready: ready.waiting });
		const statuses = await this.publish(`${source}-status`, {
			'Let the row be written': { amount: 1, unit: 'seconds' },
		});
		const [name, settings] = [`${source}-to-bookings`, { 'Book the rows': { phoneCountry } }];
		const id = await this.publish(name, settings);
		await until('The result', async () => (await cell(1, 'result')) !== '');
		await this.nextRun(id);
		const { bookingID } = mustBeOne('bookings', made(), { farmerPhone: good?.farmerPhone });
		mustBe('IDs', await ids(0, 3), [String(bookingID), '', '']);
		mustBe('results', await column(0, 3, 'result'), ['created', 'to fix', '']);
		mustBe('ready', await column(0, 3, 'ready'), [ready.booked, ready.no, ready.waiting]);
		mustSay('reason', asText(await cell(1, 'reason')), /Unit.*plots.*[Cc]onvert the area to ha/);

		await until('The first status', async () => (await cell(0, 'status')) === 'new');
		this.sandbox.store.bookings.advance(bookingID, PAIRED);
		await until('The next status', async () => (await cell(0, 'status')) === 'paired');
		await set(0, { ...remark, status: 'paired' });
		await set(1, { areaType: 'ha', ready: ready.yes });
		await until('The corrected row', async () => (await cell(1, 'result')) === 'created');
		// The two sources share bookings, but no names.
		await add({ ...good, farmerName: `Another ${first}`, ready: ready.yes });
		const isDoubtful = async () => (await cell(3, 'result')) === 'possible duplicate';
		await until('The possible duplicate', isDoubtful);
		await this.nextRun(id);
		mustBe('last row, and bookings in all', [await cell(3, 'ready'), made().length], [ready.no, 2]);
		mustBe('what it may be', asText(await cell(3, 'possibleBookingIDs')), String(bookingID));
		await set(3, { bookingID: `not ${bookingID}`, ready: ready.yes });
		await until('The other job', async () => (await cell(3, 'result')) === 'created');
		await this.nextRun(id);
		const [, , otherJob] = made();
		const otherID = String(otherJob?.bookingID);
		mustBe('its cells', [await ids(3, 4), await cell(3, 'ready')], [[otherID], ready.booked]);
		await this.end(statuses, id);

		for (const one of ['Same', 'Other', 'Silent', 'Changed'])
			await add({ ...good, farmerName: `${one} ${first}`, ready: ready.yes });
		const askingId = await this.publish(name, settings, askIn7);
		const answers = [`It is booking ${otherID}`, 'Another job', '', 'Another job'];
		await this.answer(answers, async () => await set(7, { farmerName: 'New person' }));
		await until('The answers', async () => {
			const [same, other] = await column(4, 6, 'result');
			return same === 'already booked' && other === 'created';
		});
		await this.nextRun(askingId);
		const [, , , another, ...others] = made();
		mustBe('asked: bookings in all', others.length, 0);
		const open = ['possible duplicate', 'possible duplicate'];
		mustBe('asked: results', await column(6, 8, 'result'), open);
		mustBe('asked: IDs', await ids(4, 8), [otherID, String(another?.bookingID), '', '']);
		const readies = [ready.booked, ready.booked, ready.no, ready.no];
		mustBe('asked: ready', await column(4, 8, 'ready'), readies);
		mustBe('asked: questions in all', this.officer.questions.splice(0).length, 1);
		await this.end(askingId);
	}

	/** The officer is asked about several rows at once, answers, and sends another answer later. */
	private async answer(answers: string[], meanwhile: () => unknown): Promise<void> {
		const { officer } = this;
		await until('The question', () => officer.questions.length > 0);
		const { page } = officer;
		// n8n sends the message before it waits for the answer.
		const fields = await until('The page', async () => {
			const html = await (await fetch(page)).text();
			return html.match(/<select[^>]* id='field-\d+'/g) ?? undefined;
		});
		mustBe('asked: fields', fields.length, answers.length);
		await meanwhile();
		const send = async (sent: string[]) => {
			const form = new FormData();
			sent.forEach((answer, index) => form.set(`field-${index}`, answer));
			return (await fetch(page, { method: 'POST', body: form })).ok;
		};
		mustBe('asked: answer', await send(answers), true);
		await send(answers.map(() => 'Another job'));
	}

	private async end(...ids: string[]): Promise<void> {
		for (const id of ids) {
			await this.client.unpublishWorkflow(id);
			mustBe('errors', await this.client.errors(id), []);
		}
	}

	/** Examples 4: one message for each completion, and an error that names what was not sent. */
	private async messages(): Promise<void> {
		const { client } = this;
		const { bookings } = this.sandbox.store;
		const all: Array<{ name: string; gateway: Gateway; id: string }> = [];
		for (const [name, { gateway, settings }] of Object.entries(this.sms))
			all.push({ name, gateway, id: await this.publish(name, settings) });
		const free = bookings.moving();
		const move = (status = COMPLETED) => bookings.advance(free.pop() ?? 0, status);
		/** Changes something, and waits until each of the workflows has run after it. */
		const afterAll = async <Changed,>(some: typeof all, change: () => Changed) => {
			const known = await Promise.all(some.map(async ({ id }) => await client.executions(id)));
			const changed = change();
			const next = some.map(async ({ id }, at) => await client.nextExecution(id, known[at]));
			return { changed, executions: await Promise.all(next) };
		};
		const { changed: sent } = await afterAll(all, move);
		const text = `Dear ${sent.farmerName}, the tractor has finished the work of booking ${sent.bookingID}`;
		for (const { name, gateway } of all) {
			const [message] = gateway.messages;
			mustBe(`${name}: phone`, message?.to, sent.farmerPhone);
			mustBe(`${name}: text`, message?.text.slice(0, text.length), text);
		}
		const withDeclined = all.filter(({ name }) => /^booking|declined/.test(name));
		const { changed: declined } = await afterAll(withDeclined, () => move(DECLINED));
		for (const { name, gateway } of withDeclined) {
			const { to, text = '' } = gateway.messages.pop() ?? {};
			mustBe(`${name}: phone`, to, declined.farmerPhone);
			mustSay(name, text, `booking ${declined.bookingID} was declined`);
		}
		const { changed, executions } = await afterAll(all, () => {
			const [refused, closed, taken] = [move(), move(), move()];
			for (const { gateway } of all)
				gateway.fates.set(refused.bookingID, 'refused').set(closed.bookingID, 'closed');
			return { refused, closed, taken };
		});
		const { refused, closed, taken } = changed;
		for (const [at, { name, gateway, id }] of all.entries()) {
			mustBe(`${name}: ends with`, executions[at]?.status, 'error');
			const { message = '', description } = executions[at]?.data?.resultData.error ?? {};
			const failed = [refused, closed].map(({ bookingID }) => String(bookingID)).sort();
			const [words = '', named] = message.split(' for booking ');
			mustSay(`${name}: error`, words, /^(SMS|Message) failed or unconfirmed$/);
			mustBe(`${name}: bookings`, named?.split(', ').sort(), failed);
			for (const [{ bookingID, farmerPhone }, quote] of [
				[refused, new RegExp(gateway.quoted)],
				[closed, /socket hang up|closed unexpectedly/],
			] as const) {
				const [, reason = ''] = description?.split(`booking ${bookingID} (${farmerPhone}): `) ?? [];
				mustSay(`${name}: reason`, reason.split('; ')[0] ?? '', quote);
			}
			const phones = gateway.messages.map(({ to }) => to);
			mustBe(`${name}: messages`, phones, [sent.farmerPhone, taken.farmerPhone]);
			await client.unpublishWorkflow(id);
		}
	}

	/** Example 5, n8n killed as it sends: a gateway that can be asked has one SMS of each, another one at most; an error. */
	private async fromTheBeginning(): Promise<void> {
		const { client, n8n, reliable, deaf } = this;
		const { bookings } = this.sandbox.store;
		const start = async (host: string) => {
			const url = `https://${host}/messages`;
			const arriving = { 'Let it arrive': { amount: 2, unit: 'seconds' } };
			const settings = { 'Send the SMS': { url }, 'Ask the gateway': { url }, ...arriving };
			return await this.publish('booking-to-sms', settings, (workflow) => {
				nodeNamed(workflow, 'Ask the gateway').disabled = host.includes('deaf');
				// Only one workflow can have the address of its form.
				nodeNamed(workflow, 'Show the texts').disabled = true;
			});
		};
		const reliableId = await start('sms-asked.example.com');
		const deafId = await start('sms-deaf.example.com');
		const both = [reliable, deaf];
		/** What the two gateways were sent of a booking, after so many messages. */
		const sent = async (bookingID: number, count: number) => {
			const of = ({ messages }: Gateway) =>
				messages.map(({ text }) => text).filter((text) => text.includes(String(bookingID)));
			await until(`${count} messages`, () => both.every((one) => of(one).length >= count));
			mustBe('both gateways', of(deaf), of(reliable));
			return of(reliable);
		};
		const make = (change: IDataObject) => {
			const id = bookings.addMany(1, { status: 0 });
			return bookings.update(id, { serviceDate: '2027-11-27', ...change }).bookingID;
		};
		for (const [index, fate] of (['taken, hangs', 'hangs'] as const).entries()) {
			const booking = make({ farmerName: 'Musa', farmerPhone: `+234709700310${index}` });
			await sent(booking, 1);
			const known = await client.executions(deafId);
			for (const { fates } of both) fates.set(booking, fate);
			bookings.advance(booking, COMPLETED);
			await until('Both messages', () => both.every(({ fates }) => fates.size === 0));
			await this.theatre.restart(n8n);
			const isNamed = async () =>
				(await client.errors(deafId, known)).some((text) => text.includes(String(booking)));
			await until('The error', isNamed, { limitMs: 300_000 });
			// The repeats have come: a booking that is completed later has its message.
			const later = make({ farmerName: 'Ngozi', farmerPhone: `+234709700320${index}` });
			await sent(later, 1);
			const count = ({ messages }: Gateway) =>
				messages.filter(({ text }) => text.includes(`work of booking ${booking}.`)).length;
			await until('The message', () => count(reliable) > 0);
			const wanted = [1, fate === 'hangs' ? 0 : 1];
			mustBe('messages after a kill', [count(reliable), count(deaf)], wanted);
		}
		const references = reliable.messages.map(({ reference }) => reference);
		mustBe('references', new Set(references).size, references.length);
		await this.end(reliableId);
		await client.unpublishWorkflow(deafId);
	}

	/** Submissions of KoBo: one that is right, one with a mistake, one that nobody has approved. */
	private async koboToBookings(): Promise<void> {
		const { kobo, client } = this;
		const form = { formId: kobo.id };
		const submissions = rowsOfSheet(3, 700).map((row, index) => {
			const { farmerName, farmerPhone, serviceType, serviceDate, landArea } = fieldsOf(row);
			return kobo.submit({
				...{ farmer_name: farmerName, farmer_phone: farmerPhone, service: serviceType },
				...{ service_date: serviceDate, land_area: landArea },
				area_unit: index === 1 ? 'plots' : 'ha',
				farm_gps: '10.5222 7.4384 640 4.5',
			});
		});
		const [good = 0, faulty = 0] = submissions;
		for (const id of [good, faulty]) kobo.validate(id, 'approved');
		const made = newBookings(this.sandbox);
		const settings = {
			'Get the approved submissions': form,
			'Book the rows': { phoneCountry },
			'Get them again': form,
			'Put it on hold': form,
			'Write the decision': form,
		};
		const id = await this.publish('kobo-to-bookings', settings);
		const { status, data } = await client.nextExecution(id);
		mustBe('kobo: ends with', status, 'error');
		const { message, description } = data?.resultData.error ?? {};
		mustBe('kobo: error', message, '1 submissions are not booked');
		mustSay('kobo: reason', description ?? '', `submission ${faulty}: Area Unit`);
		const statuses = ['validation_status_approved', 'validation_status_on_hold', undefined];
		mustBe('kobo: statuses', submissions.map(kobo.statusOf), statuses);
		mustBe('kobo: bookings', made().length, 1);
		const { status: again } = await this.nextRun(id);
		mustBe('kobo: another run, and bookings', [again, made().length], ['success', 1]);
		const outage = this.sandbox.faults.add({
			match: { endpoint: 'nearby' },
			fault: { kind: 'status', status: 503 },
		});
		kobo.correct(faulty, { area_unit: 'ha' });
		kobo.validate(faulty, 'approved');
		const { status: duringOutage } = await this.nextRun(id);
		const statusOfCorrected = kobo.statusOf(faulty);
		const expected = ['error', 'validation_status_approved'];
		mustBe('kobo: the service is down', [duringOutage, statusOfCorrected], expected);
		outage.remove();
		await until('The corrected submission', () => made().length === 2);
		kobo.correct(good, { land_area: '7' });
		await this.nextRun(id);
		mustBe('kobo: bookings after an edit', made().length, 2);
		await client.unpublishWorkflow(id);
	}

	/** Example 6: a request that is booked, the same again, one that is refused, and two that may be booked already. */
	private async form(): Promise<void> {
		const { sandbox, client } = this;
		await this.publish('form-to-booking', { 'Book the nearest tractor': { phoneCountry } });
		const made = newBookings(sandbox);
		const send = async (name: string, phone: string, date: string, village = 'Rigasa') => {
			const where = ['10.5222', '7.4384', village];
			const fields = [name, phone, 'Ploughing', date, '2,5', 'hectares', 'maize', ...where];
			return (await client.submitForm('book-a-tractor', fields)).at(-1) ?? '';
		};
		const booked = await send('<b>Amina</b>', '0709 700 9001', dayAhead(3));
		const again = await send('<b>Amina</b>', '0709 700 9001', dayAhead(3));
		const wanted = { farmerPhone: '+2347097009001', farmerName: '<b>Amina</b>' };
		const { bookingID } = mustBeOne('form: bookings', made(), wanted);
		for (const page of [booked, again])
			mustSay('form', page, 'Your tractor is booked', `Booking ${bookingID}`);
		const refused = await send('Musa', '0709 700 <i>', dayAhead(-2));
		mustSay('form: refusal', refused, 'No tractor was booked');
		mustBe('form: no tag in the refusal', refused.includes('<i>'), false);
		const doubtful = await send('Ngozi Form', '0709 700 9001', dayAhead(3));
		const repeated = await send('Ngozi Form', '0709 700 9001', dayAhead(3));
		for (const page of [doubtful, repeated]) {
			mustSay('form: doubt', page, 'We have your request');
			mustBe('form: no field of the node', page.includes('Booking ID'), false);
		}
		mustBe('form: bookings in all', made().length, 1);
		const ofTwoFields = ['Bisi Form', '0709 700 9004', dayAhead(4)] as const;
		mustSay('form: first field', await send(...ofTwoFields), 'Your tractor is booked');
		mustSay('form: second field', await send(...ofTwoFields, 'Zaria'), 'We have your request');
		mustBe('form: bookings with the first field', made().length, 2);
		const secondFields = (await client.dataTableRows(this.table))
			.filter(({ farmerName }) => farmerName === ofTwoFields[0])
			.map(({ possibleBookingIDs, farmLocation }) => [possibleBookingIDs, farmLocation]);
		const ofFirst = String(made().at(-1)?.bookingID);
		mustBe('form: kept second fields', secondFields, [[ofFirst, 'Zaria']]);
	}

	/** Example 7: the message names what needs attention, and nothing else. */
	private async digest(): Promise<void> {
		const { sandbox, chat } = this;
		const { bookings } = sandbox.store;
		const cases: Array<[list: string, status: number, days: number]> = [
			['late', PAIRED, -3],
			['late', UNPAIRED, -1],
			['open', DECLINED, 4],
			['open', UNPAIRED, 5],
			['', PAIRED, 4],
			['', COMPLETED, -3],
			['', TO_COMPLETED, -3],
			['', DECLINED, -3],
		];
		const wanted: Record<string, number[]> = { late: [], open: [] };
		for (const [index, id] of bookings.ids('A').entries()) {
			const [list, bookingStatus, days] = cases[index] ?? ['', COMPLETED, -3];
			bookings.update(id, { bookingStatus, serviceDate: dayAhead(days) });
			wanted[list]?.push(id);
		}
		const id = await this.publish('daily-digest', {
			'Send the digest': { url: 'https://chat.example.com/incoming-webhook' },
		});
		const { text } = await until('The digest', () => chat.messages[0]);
		await this.end(id);
		const [late, open] = text
			.split('Declined or unpaired')
			.map((part) => [...part.matchAll(/^(\d+): /gm)].map(([, id]) => Number(id)).sort());
		mustBe('digest', { late, open }, wanted);
	}

	/** Example 8: a client books a tractor, reads the booking, and is told that a person has to decide about another one. */
	private async mcp(): Promise<void> {
		await this.publish('mcp-server');
		const mcp = new McpClient(`${this.n8n.url}/mcp/tractor-booking`, 'mcp-token');
		mustBe('mcp: tools', (await mcp.connect()).length, 5);
		const made = newBookings(this.sandbox);
		const [serviceDate, farmerPhone] = [dayAhead(5), '+2347097009002'];
		const farm = { latitude: 10.5222, longitude: 7.4384 };
		const near = await mcp.call('Find_nearby_tractors', { ...farm, limit: 2 });
		const tractorId = Number(/"TractorID":\s*"?(\d+)/.exec(near)?.[1]);
		const job = { tractorId, serviceType: '3', landArea: '2.5 ha', serviceDate, ...farm };
		const request = { ...job, farmerName: 'Ngozi', farmerPhone };
		await mcp.call('Create_booking', request);
		const { bookingID } = mustBeOne('mcp: booking', made(), { tractorId, farmerPhone });
		const cases: Array<[tool: string, given: IDataObject, answer: string]> = [
			['Get_booking', { bookingID }, '"bookingStatusLabel":"new"'],
			['Find_bookings_of_a_farmer', { farmerPhone: '0709 700 9002' }, `"bookingID":${bookingID}`],
			['List_bookings', { limit: 3, serviceDateFrom: serviceDate }, String(bookingID)],
			['Create_booking', { ...request, farmerName: 'Ngozi Chat' }, 'a person has to decide'],
		];
		for (const [tool, given, answer] of cases)
			mustSay(`mcp: ${tool}`, await mcp.call(tool, given), answer);
		mustBe('mcp: bookings in all', made().length, 1);
		const kept = (await this.client.dataTableRows(this.table)).filter(
			({ farmerName }) => farmerName === 'Ngozi Chat',
		);
		const ids = kept.map(({ possibleBookingIDs }) => possibleBookingIDs);
		mustBe('mcp: kept request', ids, [String(bookingID)]);
	}
}

export async function examples(theatre: Theatre): Promise<string[]> {
	const sandbox = theatre.closeAtEnd(await startSandbox({ bookings: 40 }));
	const hosts: Record<string, HostAnswer> = {};
	const { env } = theatre.closeAtEnd(await startInternet(hosts));
	const n8n = await theatre.startN8n('examples', sandbox, { env });
	const all = new Examples(theatre, sandbox, n8n);
	Object.assign(hosts, all.hosts);
	return await all.run();
}
