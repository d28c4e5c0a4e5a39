import { mkdir } from 'node:fs/promises';
import { join } from 'node:path';
import { Editor, startBrowser } from './editor';
import { bookSpreadsheet, moveBookings, waitForSms } from './mainJob';
import { owner, setStage } from './stage';

const images = join(__dirname, '..', 'docs', 'images');

/** `npx tsx demo/screenshots.ts` makes the README's pictures: the real editor with this package, after the main job. */
async function main(): Promise<void> {
	const closers: Array<() => Promise<void>> = [];
	try {
		const browser = await startBrowser();
		closers.push(async () => await browser.close());
		const { n8n, sandbox, workflows } = await setStage(closers);
		const rows = await bookSpreadsheet(n8n.client, workflows.spreadsheet);
		await waitForSms(sandbox, await moveBookings(sandbox, rows));

		await mkdir(images, { recursive: true });
		const editor = await Editor.open(browser, n8n.address, owner);
		const [booked] = await n8n.client.executions(workflows.spreadsheet);
		if (!booked) throw new Error('The spreadsheet workflow has no execution.');
		await editor.showExecution(workflows.spreadsheet, booked.id);
		await editor.screenshot(join(images, 'spreadsheet-to-bookings.png'));
		await editor.showWorkflow(workflows.sms);
		await editor.screenshot(join(images, 'completion-to-sms.png'));
		await editor.openNode('When a booking is completed');
		await editor.screenshot(join(images, 'trigger.png'));
		await editor.showWorkflow(workflows.spreadsheet);
		await editor.openNode('Book a tractor');
		await editor.screenshot(join(images, 'create-booking.png'));
		await editor.page.goto(sandbox.url);
		await editor.page.waitForTimeout(2_000);
		await editor.screenshot(join(images, 'sandbox.png'));
	} finally {
		for (let closer = closers.pop(); closer; closer = closers.pop()) await closer();
	}
}

main().catch((error: unknown) => {
	console.error(error instanceof Error ? error.message : error);
	process.exitCode = 1;
});
