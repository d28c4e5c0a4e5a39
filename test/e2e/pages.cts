import { dirname, join } from 'node:path';
import type { Browser, BrowserContext, Locator, Page } from 'playwright-core';
import readXlsxFile from 'read-excel-file/node';
import writeXlsxFile from 'write-excel-file/node';

import { asText } from '../../nodes/TractorBooking/utils/text';
import { startSandbox, type Sandbox } from '../../sandbox/index.cts';
import { spreadsheetType } from '../../sandbox/sheet/makeSpreadsheet.cts';
import { startBrowser } from '../../tools/browser.cts';
import { formPath, readExample } from '../../tools/examples.cts';
import type { N8n } from '../../tools/n8nHost/n8n.cts';
import type { Theatre } from '../../tools/theatre.cts';
import { until } from '../../tools/until.cts';
import { mustBe, mustSay, takeSteps } from './report.cts';
import { dayAhead, newBookings, rowsOfSheet } from './sheet.cts';

type Cell = string | number;

type Tab = Cell[][];

/** @param hidden a row that is filtered out */
async function workbookOf(tabs: Record<string, Tab>, hidden?: number): Promise<Buffer> {
	const sheets = Object.entries(tabs).map(([sheet, data]) => ({ sheet, data }));
	const transform = (xml: string) => xml.replace(`<row r="${hidden}"`, '$& hidden="1"');
	const files = { transform: { 'xl/worksheets/sheet{id}.xml': { transform } } };
	return await writeXlsxFile(sheets, { features: [{ files }] }).toBuffer();
}

/** What a browser uploads: text is a CSV file. */
async function fileOf(file: Buffer | Record<string, Tab> | string) {
	if (typeof file === 'string')
		return { name: 'requests.CSV', mimeType: 'text/csv', buffer: Buffer.from(file) };
	const buffer = Buffer.isBuffer(file) ? file : await workbookOf(file);
	return { name: 'requests.xlsx', mimeType: spreadsheetType, buffer };
}

async function unreadable(): Promise<Buffer> {
	const text = (await workbookOf({ Requests: [['Farmer']] })).toString('latin1');
	return Buffer.from(text.replaceAll('[Content_Types].xml', '[Content_Types].???'), 'latin1');
}

/** The lines with results of a workbook that was given back, and its tabs. */
async function savedIn(path: string) {
	const sheets = await readXlsxFile(path);
	const saved = sheets.find(({ data: [headings] }) => headings?.includes('result'));
	const lines = (saved?.data ?? []).map((line) => line.map(asText));
	return { lines, tabs: sheets.map(({ sheet }) => sheet) };
}

const tabOf = (rows: Array<Record<string, Cell>>): Tab => [
	Object.keys(rows[0] ?? {}),
	...rows.map((row) => Object.values(row)),
];

/** What is chosen or typed on a page, by the beginning of the question. */
type Answers = Record<string, string>;

type Words = Array<string | RegExp>;

const LOOKS = (['dark', 'light'] as const).flatMap((theme) =>
	[390, 700, 1120].map((width) => [theme, width] as const),
);

/** The form of the spreadsheet workflow in a browser, as somebody sees it who has not seen the editor. */
class Officer {
	tabs: string[] = [];

	constructor(
		readonly page: Page,
		private readonly url: string,
		private readonly folder: string,
	) {
		page.setDefaultTimeout(120_000);
	}

	/** Uploads a workbook, its tabs, or a CSV file. @param form its path, and the button that sends it @returns the text of the next page */
	async upload(
		file: Buffer | Record<string, Tab> | string,
		title: RegExp,
		words: Words = [],
		form = [formPath, 'Check the rows'],
	): Promise<string> {
		const [path = '', button = ''] = form;
		await this.page.goto(`${this.url}/form/${path}`);
		await this.page.locator('input[type="file"]').setInputFiles(await fileOf(file));
		await this.page.getByRole('button', { name: button }).click();
		return await this.sees(title, ...words);
	}

	/** Waits for a page with this title. @throws Error if it lacks some of the words @returns its text */
	async sees(title: RegExp, ...words: Words): Promise<string> {
		await this.page.locator('h1', { hasText: title }).first().waitFor();
		const text = await this.page.locator('.card').first().innerText();
		mustSay('page', text, ...words);
		return text;
	}

	question(beginning: string): Locator {
		const label = this.page.locator('.form-label', { hasText: new RegExp(`^\\s*${beginning}`) });
		return this.page.locator('.inputs-wrapper > div').filter({ has: label });
	}

	async answer(answers: Answers): Promise<void> {
		for (const [beginning, option] of Object.entries(answers)) {
			const question = this.question(beginning);
			const select = question.locator('select');
			if ((await select.count()) > 0) {
				const texts = await select.locator('option').allInnerTexts();
				await select.selectOption(texts.find((text) => text.startsWith(option)) ?? option);
				continue;
			}
			const input = question.locator('input[type="text"]');
			if ((await input.count()) > 0) {
				await input.fill(option);
				continue;
			}
			const begins = new RegExp(`^\\s*${option.replace(/[^\w\s]/g, '\\$&')}`);
			const choice = question.locator('.multiselect-option', { hasText: begins }).first();
			// A second click would take the choice back.
			if (!(await choice.locator('input').isChecked())) await choice.locator('label').click();
		}
	}

	async chosen(beginning: string): Promise<string[]> {
		const ticks = this.question(beginning).locator('.multiselect-checkbox:checked');
		return await ticks.evaluateAll((boxes) => boxes.map((box) => box.getAttribute('value') ?? ''));
	}

	async send(): Promise<void> {
		await this.page.locator('#submit-btn').click();
	}

	async goOn(answers: Answers, title: RegExp, ...words: Words): Promise<void> {
		await this.answer(answers);
		await this.send();
		await this.sees(title, ...words);
	}

	async choose(choice: 'Book' | 'Stop here'): Promise<string[][]> {
		await this.answer({ 'What now': choice });
		const download = this.page.waitForEvent('download');
		await this.send();
		const file = await download;
		const path = join(this.folder, file.suggestedFilename());
		await file.saveAs(path);
		const { lines, tabs } = await savedIn(path);
		this.tabs = tabs;
		return lines;
	}

	/** Pictures the page in each theme and width, in which nothing may stick out. */
	async picture(name: string): Promise<void> {
		for (const [theme, width] of LOOKS) {
			await this.page.emulateMedia({ colorScheme: theme });
			await this.page.setViewportSize({ width, height: 900 });
			const path = join(this.folder, `${name}-${theme}-${width}.png`);
			await this.page.screenshot({ path, fullPage: true });
			const isCut = await this.page.evaluate(() => {
				const boxes = document.querySelectorAll('html, div:has(> table)');
				return [...boxes].some(({ scrollWidth, clientWidth }) => scrollWidth > clientWidth);
			});
			mustBe(`${name}: wider than ${width} pixels`, isCut, false);
		}
	}
}

/** Status, areas without a unit, dates that may be read in two ways; phones without a country code, of one country. */
const STATUSES = ['Approved', 'Approved', 'Pending', 'Approved', 'Aproved'];
const year = Number(dayAhead(0).slice(0, 4)) + 1;

function nigeria(first: number): Tab {
	const headings = [
		...['Farmer', 'Phone', 'Service', 'Date', 'Farm size', 'Lat', 'Long'],
		...['Status', "Cost ($'000)", 'Remarks', '$& <b>', 'Sex', 'Village name'],
	];
	const lines = Array.from({ length: 14 }, (_, index): Cell[] => [
		`Farmer ${first + index}`,
		`0803${1_000_000 + (first + index) * 7}`,
		index === 3 ? 'Plowing' : 'Ploughing',
		`0${1 + (index % 9)}/12/${year}`,
		1 + index / 2,
		10.52 + index / 1_000,
		7.43,
		STATUSES[index % STATUSES.length] ?? '',
		100 + index,
		index === 5 ? 'wait for rain, please' : '',
		index % 2 ? 'a, b' : 'c',
		index % 2 ? 'F' : 'M',
		index % 2 ? 'Rigasa' : 'Kawo',
	]);
	return [headings, ...lines];
}

const NIGERIA: Answers = {
	'Is this right': 'Yes',
	'Does a column say': 'Status',
	'A date such as': '1 December',
	'Farm size without a unit': 'Hectares',
};

/** The same, and which rows to book. */
const only = (value: string, column = 'Status'): Answers => ({
	...NIGERIA,
	'Does a column say': column,
	[`Book the rows whose ${column.replace('$', '\\$')}`]: value,
});

class Pages {
	private made: () => unknown[];

	constructor(
		private readonly browser: Browser,
		private readonly n8n: N8n,
		private readonly sandbox: Sandbox,
		private readonly theatre: Theatre,
	) {
		this.made = newBookings(sandbox);
	}

	private async officer(context?: BrowserContext): Promise<Officer> {
		const viewport = { width: 700, height: 900 };
		const page = await (context ?? (await this.browser.newContext({ viewport }))).newPage();
		return new Officer(page, this.n8n.url, dirname(this.n8n.logFile));
	}

	private countMade(): number {
		const { length } = this.made();
		this.made = newBookings(this.sandbox);
		return length;
	}

	private async book(officer: Officer, count: number, rows: number): Promise<string[][]> {
		const lines = await officer.choose('Book');
		await officer.sees(new RegExp(`^${count} of ${rows} rows are booked now`));
		mustBe('booked', this.countMade(), count);
		return lines;
	}

	async run(): Promise<string[]> {
		const steps: Record<string, (officer: Officer) => Promise<void>> = {
			'a status column': async (officer) => await this.status(officer),
			'a way back, an old tab, and a page that is sent twice': async (officer) =>
				await this.oldTab(officer),
			'a list beside other tabs, and n8n stopped while a page waits': async (officer) =>
				await this.tabs(officer),
			'rows that may be booked already': async (officer) => await this.asked(officer),
			'a page that is closed while it books': async (officer) => await this.closed(officer),
			'a CSV file': async (officer) => await this.csv(officer),
			'what cannot be read': async (officer) => await this.refused(officer),
			'120 rows': async (officer) => await this.long(officer),
		};
		const take = async (step: (officer: Officer) => Promise<void>) => {
			await step(await this.officer());
			mustBe('booked besides', this.countMade(), 0);
		};
		const all = Object.entries(steps).map(([name, step]) => [name, async () => await take(step)]);
		return await takeSteps(Object.fromEntries(all) as Parameters<typeof takeSteps>[0]);
	}

	private async status(officer: Officer): Promise<void> {
		await officer.upload({ Requests: nigeria(100) }, /^Some questions/);
		for (const question of Object.keys(NIGERIA))
			mustBe(`status: chosen beforehand of ${question}`, await officer.chosen(question), []);
		for (const hidden of [
			'Book the rows whose Status',
			'Service Date is in',
			'Farm Location is in',
		])
			mustBe(`status: ${hidden}`, await officer.question(hidden).isVisible(), false);
		await officer.answer(only('Approved'));
		await officer.picture('questions');
		await officer.send();
		await officer.sees(/^9 of 14 rows can be booked/, "Cost ($'000)");
		mustBe('status: booked before Book', this.countMade(), 0);
		await officer.picture('preview');
		const [headings = [], ...lines] = await this.book(officer, 9, 14);
		await officer.picture('result');
		const [own = []] = nigeria(100);
		mustBe('status: headings', headings, [...own, 'result', 'bookingID', 'reason']);
		const left = lines.filter((line) => line[own.length] === 'left out');
		mustBe('status: left out', [...new Set(left.map((line) => line[7]))], ['Pending', 'Aproved']);
		mustBe('status: word of the service', lines[3]?.[2], 'Plowing');

		// A month later: the same answers.
		const hidden = ['1 hidden row will be booked, too (2).'];
		const next = await workbookOf({ Requests: nigeria(200) }, 2);
		await officer.upload(next, /^9 of 14 rows can be booked/, hidden);
		await officer.choose('Stop here');
		await officer.sees(/^Nothing was booked/, '9 rows can be booked');
	}

	private async oldTab(officer: Officer): Promise<void> {
		// A heading of its own: answers are kept by the headings.
		const listOf = (first: number) => ({
			Requests: nigeria(first).map((line) => [...line, 'Old tab']),
		});
		await officer.upload(listOf(400), /^Some questions/);
		await officer.goOn(only('a', '$&'), /^7 of 14 rows can be booked/);
		const old = await this.officer(officer.page.context());
		await old.page.goto(officer.page.url());
		await old.sees(/^7 of 14 rows can be booked/);
		await officer.goOn({ 'What now': 'Change my answers' }, /answers about this sheet/);
		// In place of the comma, at which n8n would split it, stands a sign that looks the same.
		const ticks = 'Book the rows whose \\$&';
		mustBe('old tab: filled in', await officer.chosen(ticks), ['a‚ b (7)']);
		await officer.picture('filled-in');
		await officer.goOn({ [ticks]: 'c' }, /^14 of 14 rows can be booked/);
		// It shows seven rows, and the execution is at fourteen.
		await old.answer({ 'What now': 'Book' });
		await old.send();
		await old.page.getByText('That answer came from an earlier page').waitFor();
		mustBe('old tab: booked', this.countMade(), 0);
		await officer.page.goto(old.page.url());
		await officer.sees(/^14 of 14 rows can be booked/);
		// Both have the same page now, and both book.
		await old.page.reload();
		for (const one of [officer, old]) await one.answer({ 'What now': 'Book' });
		await Promise.all([officer.send(), old.send()]);
		await until('Fourteen bookings', () => this.made().length >= 14);
		await officer.page.waitForTimeout(3_000);
		mustBe('sent twice: booked', this.countMade(), 14);

		// Back leaves the execution: nothing is booked, and the sheet can be uploaded again.
		await officer.upload(listOf(500), /^14 of 14 rows can be booked/);
		await officer.page.goBack();
		await officer.upload(listOf(500), /^14 of 14 rows can be booked/);
	}

	private async tabs(officer: Officer): Promise<void> {
		// A line of spaces is no row.
		const last = [...tabOf(rowsOfSheet(2, 710)), [' ', ' ', ' ']];
		const Cover = Object.entries({ Cooperative: 'Riverside', Season: 2026, Chair: 'Amina' });
		const list = nigeria(600).map((line) => [...line, 'Tabs']);
		const file = await workbookOf({ Cover, 'Last & <first>': last, Empty: [], 'List "A"': list });
		const asked = await officer.upload(file, /^Which tab has the list/);
		mustBe('tabs: a cover', asked.includes('Cover'), false);
		await officer.picture('tabs');
		await officer.goOn({ Tab: 'List "A": 14 lines' }, /^Some questions/);
		await officer.answer({ ...NIGERIA, 'Does a column say': 'No: book all rows' });
		await this.theatre.restart(this.n8n);
		await officer.send();
		const others = 'Other tabs: Cover (2 lines), Last & <first> (2 lines).';
		const own = `The rows are those of the tab List "A". ${others}`;
		await officer.sees(/^14 of 14 rows can be booked/, own);
		await officer.picture('one-of-tabs');
		await this.theatre.restart(this.n8n);
		await this.book(officer, 14, 14);
		await officer.upload(file, /^14 of 14 rows were already booked/);
		await officer.goOn({ 'What now': 'Choose another tab' }, /^Which tab has the list/);
		await officer.goOn({ Tab: 'Last & ‹first›: 2 lines' }, /^2 of 2 rows can be booked/);
		const [headings] = await this.book(officer, 2, 2);
		// Every row has its tractor, and is booked: a column of reasons would be empty.
		mustBe('tabs: given back', officer.tabs, ['Cover', 'Last & <first>', 'Empty', 'List "A"']);
		mustBe('tabs: headings', headings, [...(last[0] ?? []), 'result', 'bookingID']);
	}

	private async asked(officer: Officer): Promise<void> {
		const both = [0, 2].flatMap((at) => rowsOfSheet(1, 2_000 + at));
		await officer.upload({ Requests: tabOf(both) }, /^2 of 2 rows can be booked/);
		const [, ...made] = await this.book(officer, 2, 2);
		const [ofFirst = '', ofSecond = ''] = made.map((line) => line.at(-1));

		const twice = rowsOfSheet(1, 2_010).flatMap((row) => [row, { ...row, Tractor: 250 }]);
		const more = both.map((row) => ({ ...row, 'Land area': 9 }));
		const Requests = tabOf([...more, ...twice]);
		const known = `Booking ${ofFirst} (new) has the same name, phone and day`;
		await officer.upload({ Requests }, /^Which of these rows/, [known]);
		const plot = officer.question('Which field is row 5');
		mustBe('asked: the plot of a row that is left', await plot.isVisible(), false);
		await officer.answer({
			'What is row 2': 'Another job',
			'What is row 3': `It is booking ${ofSecond}`,
			'What is row 5': 'Another job',
		});
		mustBe('asked: the plot of another job', await plot.isVisible(), true);
		await officer.send();
		await officer.page.getByText('Answer again: Which field is row 5?').waitFor();
		await officer.answer({ 'Which field is row 5': 'North', 'Which field is row 4': 'River' });
		await officer.picture('rows');
		await officer.send();
		await officer.sees(/^3 of 4 rows can be booked/);
		await officer.picture('rows-preview');
		mustBe('asked: booked before Book', this.countMade(), 0);
		const saved = await this.book(officer, 3, 4);
		// Neither sheet asks again.
		for (const tab of [saved, Requests])
			await officer.upload({ Requests: tab }, /^4 of 4 rows were already booked/);
	}

	private async closed(officer: Officer): Promise<void> {
		const file = { Requests: tabOf(rowsOfSheet(8, 4_000)) };
		await officer.upload(file, /^8 of 8 rows can be booked/);
		const match = { endpoint: 'create' as const };
		const slow = this.sandbox.faults.add({ match, fault: { kind: 'latency', ms: 20_000 } });
		await officer.send();
		await officer.picture('booking');
		await until('The first request', () => slow.seen > 0);
		await officer.page.close();
		const other = await this.officer();
		await other.upload(file, /^0 of 8 rows are booked, 8 may have been sent a few minutes ago/);
		slow.remove();
		await until('Eight bookings', () => this.made().length >= 8);
		mustBe('closed: booked', this.countMade(), 8);
		await other.page.getByText('Upload another list').click();
		await other.sees(/^Book tractors/);
	}

	private async csv(officer: Officer): Promise<void> {
		const rows = rowsOfSheet(3, 5_000).map((row) => ({
			...row,
			Village: 'Kawo; by the\n"mosque"',
		}));
		const inQuotes = (cell: Cell) => `"${String(cell).replaceAll('"', '""')}"`;
		const lines = tabOf(rows).map((line) => line.map(inQuotes).join(';'));
		const list = `\ufeff${lines.join('\r\n')}`;
		await officer.upload(list, /^3 of 3 rows can be booked/);
		const [headings = [], ...saved] = await this.book(officer, 3, 3);
		mustBe('CSV: headings', headings, [...Object.keys(rows[0] ?? {}), 'result', 'bookingID']);
		const [cells] = tabOf(rows).slice(1);
		mustBe('CSV: first row', saved[0]?.slice(0, cells?.length), cells?.map(String));
		for (const file of [list, { List: [headings, ...saved] }])
			await officer.upload(file, /^3 of 3 rows were already booked/);
	}

	private async refused(officer: Officer): Promise<void> {
		const [title, noWorkbook] = [
			/^This file cannot be read/,
			'This cannot be read as an Excel workbook',
		];
		const broken = await unreadable();
		const files: Array<[Buffer | Record<string, Tab> | string, advice: string]> = [
			[broken, 'This is not an Excel workbook'],
			[Buffer.from('Farmer,Area\nAmina,"2,5"\n'), 'save it as .xlsx'],
			['Farmer\nAmina', 'save it as .xlsx'],
			['Farmer;Phone\nKon\ufffd;1', 'nor as a CSV file in UTF-8'],
			['Farmer,Phone\nAmina', 'save it as .xlsx'],
			[Buffer.from('PK\u0003\u0004, and then something else'), noWorkbook],
			[{ Empty: [['Farmer', 'Phone']] }, 'No tab has headings in its first line and rows below'],
		];
		for (const [file, says] of files) await officer.upload(file, title, [says]);
		await officer.picture('refused');
		await officer.page.getByText('Upload another list').click();
		await officer.sees(/^Book tractors/);
		await this.n8n.client.publishNew(await readExample('sheet-with-status'));
		await officer.upload(
			broken,
			title,
			['This is not an Excel workbook'],
			['sheet-status', 'Show the status'],
		);
		await officer.picture('refused-status');
	}

	private async long(officer: Officer): Promise<void> {
		const rows = rowsOfSheet(120, 1_000).map((row, index) => ({
			...row,
			'Land area': index % 12 === 6 ? 'two' : 2,
		}));
		await officer.upload({ Long: tabOf(rows) }, /of 120 rows can be booked/);
		await officer.picture('long-preview');
		// A long table scrolls, and nothing else does.
		const box = async (selector: string, hasText = '') =>
			(await officer.page.locator(selector, { hasText }).last().boundingBox()) ??
			({ y: NaN, height: NaN } as const);
		const isHigher = (await box('div > table')).height > (await box('form')).height;
		mustBe('long: the table is higher than its page', isHigher, true);
		const isAbove = (await box('#submit-btn')).y < (await box('h3', 'rows can be booked')).y;
		mustBe('long: the button is above the list', isAbove, true);
		const [, ...lines] = await officer.choose('Book');
		await officer.sees(/of 120 rows are booked now/);
		await officer.picture('long-result');
		const height = await officer.page.evaluate(() => document.documentElement.scrollHeight);
		mustBe('long: higher than 2500 pixels', Math.max(height, 2_500), 2_500);
		mustBe('long: booked', this.countMade(), 110);
		mustBe('long: rows', lines.length, 120);
	}
}

export async function pages(theatre: Theatre): Promise<string[]> {
	const sandbox = theatre.closeAtEnd(
		await startSandbox({ bookings: 20, rateLimits: { create: null } }),
	);
	const browser = theatre.closeAtEnd(await startBrowser());
	const n8n = await theatre.startN8n('pages', sandbox);
	await n8n.client.publishNew(await readExample('spreadsheet-to-bookings'));
	return await new Pages(browser, n8n, sandbox, theatre).run();
}
