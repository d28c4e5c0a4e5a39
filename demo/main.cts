import { parseArgs } from 'node:util';
import { KEYS, TOKENS } from '../sandbox/index.cts';
import { credentialName, formPath } from '../tools/examples.cts';
import { owner } from '../tools/n8nClient.cts';
import { Theatre } from '../tools/theatre.cts';
import { bookSpreadsheet, moveBookings, report, waitForSms } from './mainJob.cts';
import { findMistakes } from './mistakes.cts';
import { setStage, type Stage } from './stage.cts';
import {
	correctedRequests,
	farmerRequests,
	type FarmerRequest,
} from '../sandbox/sheet/farmerRequests.cts';

/** What has to be closed at the end. */
let theatre: Theatre | undefined;

/** The main job, from the spreadsheet to the SMS; returns what went wrong with it. */
async function doMainJob({ n8n, sandbox, spreadsheetWorkflowId }: Stage): Promise<string[]> {
	const now = new Date();
	const before = new Set(sandbox.store.bookings.ids('A'));
	const book = async (requests: FarmerRequest[], title: string) =>
		await bookSpreadsheet(n8n.client, spreadsheetWorkflowId, requests, now, title);
	const rows = await book(farmerRequests, 'Booking the rows of the spreadsheet');
	const completed = await moveBookings(sandbox, rows);
	const again = await book(
		farmerRequests,
		'Uploading the same spreadsheet again, which must book nothing',
	);
	const corrected = await book(
		correctedRequests,
		'Uploading it with the faulty rows corrected, which must book these',
	);
	await waitForSms(sandbox, completed);
	console.log(`\n${report(sandbox, rows, again, corrected)}\n`);
	return findMistakes(sandbox, { now, before, rows, again, corrected, completed });
}

async function main(): Promise<void> {
	const { values } = parseArgs({ options: { once: { type: 'boolean', default: false } } });
	theatre = await Theatre.open();
	const stage = await setStage(theatre);
	const mistakes = await doMainJob(stage);
	for (const mistake of mistakes) console.error(`✗ ${mistake}`);
	process.exitCode = mistakes.length > 0 ? 1 : 0;
	if (mistakes.length === 0)
		console.log(
			'✓ Each good row has one booking, also after the same sheet and a corrected one, each faulty row is reported, each completed booking has one SMS.',
		);
	if (values.once) return await theatre.close();

	const { n8n, sandbox } = stage;
	console.log(`
n8n editor     ${n8n.url}   sign in as ${owner.email} with the password ${owner.password}
Upload a list  ${n8n.url}/form/${formPath}   (the sandbox offers sheets)
Sandbox        ${sandbox.url}   complete a booking there and see its SMS within 20 s

For workflows of your own (this n8n has a credential "${credentialName}" already):
Base URL       ${sandbox.url}
API key        ${KEYS.full}
Bearer token   ${TOKENS.full}
SMS gateway    ${sandbox.url}/sms/messages   (fields: to, body, reference)

Ctrl-C ends everything.`);
}

/** When it was asked to stop, in milliseconds since 1970. */
let stopping: number | undefined;
for (const signal of ['SIGINT', 'SIGTERM'] as const) {
	process.on(signal, () => {
		if (stopping !== undefined) {
			// At once it is the same Ctrl-C, passed on by what started this; later it is an impatient person.
			if (Date.now() > stopping + 2_000) process.exit(1);
			return;
		}
		stopping = Date.now();
		process.exitCode ??= 130;
		void Promise.resolve(theatre?.close()).finally(() => process.exit());
	});
}

main().catch(async (error: unknown) => {
	if (stopping !== undefined) return;
	console.error(`\n${error instanceof Error ? error.message : String(error)}`);
	process.exitCode = 1;
	await theatre?.close();
});
