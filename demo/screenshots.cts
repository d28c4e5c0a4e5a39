import { join } from 'node:path';
import type { Page } from 'playwright-core';
import { Editor } from '../tools/browser.cts';
import { formPath } from '../tools/examples.cts';
import { farmerRequests } from '../sandbox/sheet/farmerRequests.cts';
import { makeSpreadsheet, spreadsheetType } from '../sandbox/sheet/makeSpreadsheet.cts';
import { ANSWERS, bookSpreadsheet, moveBookings, waitForSms } from './mainJob.cts';
import { picture, setStage } from './stage.cts';

const images = join(__dirname, '..', '.github', 'images');

/** Uploads the list in the browser, and answers the questions about it; stays at their page. */
async function upload(editor: Editor): Promise<void> {
	await editor.show(`${editor.url}/form/${formPath}`);
	const list = {
		name: 'farmer-requests.xlsx',
		mimeType: spreadsheetType,
		buffer: await makeSpreadsheet(),
	};
	await editor.page.locator('input[type="file"]').setInputFiles(list);
	await editor.page.getByRole('button', { name: 'Check the rows' }).click();
	await editor.page.getByRole('button', { name: 'Show what will happen' }).waitFor();
	await editor.page.setViewportSize({ width: 1120, height: 840 });
	await answer(editor.page);
}

/** Chooses what the demo chooses. The ticks of a column are shown once it is chosen. */
async function answer(page: Page): Promise<void> {
	for (const question of await page.locator('.inputs-wrapper > div').all()) {
		if (!(await question.isVisible())) continue;
		const options = (await question.locator('option').allInnerTexts()).filter((text) =>
			ANSWERS.test(text),
		);
		if (options[0]) await question.locator('select').selectOption(options[0]);
		const choice = question.locator('.multiselect-option label').filter({ hasText: ANSWERS });
		if ((await choice.count()) > 0) await choice.first().click();
	}
}

/** Goes on to the page with a text. */
async function goOn({ page }: Editor, text: string): Promise<void> {
	await page.getByRole('button', { name: 'Show what will happen' }).click();
	await page.getByText(text).first().waitFor();
}

/** Presses the button of that page, and waits for the result of each row. */
async function bookThese(editor: Editor): Promise<void> {
	await editor.page.locator('#submit-btn').click();
	await editor.page.getByText('rows are booked').waitFor();
}

/** `node -r tsx/cjs demo/screenshots.cts` makes the README's pictures: the real editor with this package, after the main job. */
void picture(async (theatre, browser) => {
	const { n8n, sandbox, spreadsheetWorkflowId } = await setStage(theatre);
	let editor = await Editor.open(browser, n8n.url);
	const take = async (name: string) =>
		await editor.page.screenshot({ path: join(images, `${name}.png`) });
	await upload(editor);
	await take('upload-questions');
	await goOn(editor, 'Which of these rows are to be booked?');
	await take('upload-rows');
	await goOn(editor, 'What now?');
	await take('upload-preview');
	await bookThese(editor);
	await take('upload-result');

	const title = 'Booking the rows of the spreadsheet';
	const rows = await bookSpreadsheet(
		n8n.client,
		spreadsheetWorkflowId,
		farmerRequests,
		new Date(),
		title,
	);
	await waitForSms(sandbox, await moveBookings(sandbox, rows));
	// n8n's forms have no dark theme.
	for (const [theme, ending] of [
		['light', ''],
		['dark', '.dark'],
	] as const) {
		editor = await Editor.open(browser, n8n.url, theme);
		await editor.show(sandbox.url);
		await take(`sandbox${ending}`);
	}
});
