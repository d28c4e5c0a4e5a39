import { dirname, join } from 'node:path';

import type { Locator, Page } from 'playwright-core';

import { CREDENTIAL_TYPES } from '../../nodes/TractorBooking/api/client';
import { asText } from '../../nodes/TractorBooking/utils/text';
import { KEYS, startSandbox, TOKENS, type Sandbox } from '../../sandbox/index.cts';
import { Editor, startBrowser } from '../../tools/browser.cts';
import { credentialName } from '../../tools/examples.cts';
import type { N8n } from '../../tools/n8nHost/n8n.cts';
import { mustSay, takeSteps } from './report.cts';
import { dayAhead, rowsOfSheet } from './sheet.cts';
import type { Theatre } from '../../tools/theatre.cts';
import { ACTION, nodeOf, to } from '../../tools/workflow.cts';

/** What is chosen in the dropdowns of Booking > Create, by the name of the field; the farm is near a tractor of the sandbox. */
const CHOSEN = {
	tractorSelection: 'Nearest to the Farm',
	phoneCountry: 'Nigeria (+234)',
	areaType: 'Hectares',
};

/** What is typed into its fields; for a resource locator, the ID. */
const TYPED = {
	latitude: '10.4912',
	longitude: '7.4711',
	landArea: '2.5',
	serviceType: 'Ploughing',
	serviceDate: dayAhead(20),
	farmerName: 'Amina Bello',
	farmerPhone: '+2347094129901',
};

class EditorFlows {
	constructor(
		private readonly page: Page,
		private readonly n8n: N8n,
		private readonly sandbox: Sandbox,
	) {}

	async run(): Promise<string[]> {
		const steps = {
			credentials: async () => await this.credentials(),
			'a booking': async () => await this.createBooking(),
			'an error keeps its lines': async () => await this.errorOfSheet(),
			'search of a booking by phone': async () => await this.searchByPhone(),
			trigger: async () => await this.trigger(),
		};
		return await takeSteps(steps, async (name) => await this.picture(name));
	}

	private async picture(step: string): Promise<void> {
		const path = join(dirname(this.n8n.logFile), `${step.replace(/\W+/g, '-')}.png`);
		await this.page.screenshot({ path });
	}

	private byId(id: string): Locator {
		return this.page.locator(`[data-test-id="${id}"]`);
	}

	private get panel(): Locator {
		return this.byId('ndv');
	}

	private field(name: string): Locator {
		return this.byId(`parameter-input-${name}`).filter({ visible: true });
	}

	private async credentials(): Promise<void> {
		const make = async (type: string, field: string, secret: string) => {
			await this.page.goto(`${this.n8n.url}/home/credentials`);
			await this.page.getByRole('button', { name: 'Create credential' }).first().click();
			await this.page.getByRole('dialog').locator('input').first().fill(type);
			await this.page.getByRole('option', { name: type }).click();
			await this.page.getByRole('button', { name: 'Continue' }).click();
			await this.field('baseUrl').locator('input').fill(this.sandbox.url);
			await this.field(field).locator('input').fill('wrong');
			await this.byId('credential-save-button').click();
			await this.page.getByText('More details').click();
			await this.page.getByText(/^The service did not allow this credential/).waitFor();
			await this.field(field).locator('input').fill(secret);
			await this.byId('credential-save-button').click();
			await this.page.getByText('Connection tested successfully').waitFor();
		};
		await make('Tractor Booking API', 'apiKey', KEYS.full);
		await make('Tractor Booking Bearer API', 'token', TOKENS.full);
		await this.page.goto(`${this.n8n.url}/home/credentials`);
		// The examples have the name that n8n gives, and so find it when they are imported. This is the second key.
		await this.page.getByText(`${credentialName} 2`, { exact: true }).first().waitFor();
	}

	private async add(search: string, action: string): Promise<void> {
		await this.page.goto(`${this.n8n.url}/workflow/new`);
		await this.byId('canvas-plus-button').click();
		await this.byId('node-creator-search-bar').fill(search);
		const node = this.byId('node-creator-action-item').filter({ hasText: 'Tractor Booking' });
		await node.first().click();
		const name = this.page.getByText(action, { exact: true });
		if (!action.startsWith('On ')) await this.page.getByText(/^Actions \(\d+\)/).click();
		await name.click();
		await this.panel.waitFor();
	}

	/** Chooses an option of a dropdown; its name may be a part of another one's. */
	private async choose(field: string, name: string): Promise<void> {
		await this.field(field).click();
		const isNamed = this.page.getByText(name, { exact: true });
		await this.page.getByRole('option').filter({ has: isNamed, visible: true }).first().click();
	}

	private async fill(field: string, value: string): Promise<void> {
		const locator = this.byId(`resource-locator-${field}`);
		if ((await locator.count()) > 0) {
			await locator.locator('[data-test-id="rlc-mode-selector"]').click();
			await this.page.getByRole('option').filter({ hasText: /^By / }).last().click();
			await locator.getByPlaceholder('e.g. ').fill(value);
			return;
		}
		await this.field(field).locator('input').first().fill(value);
		if (field === 'serviceDate') await this.page.keyboard.press('Enter');
	}

	/** Executes the open node. @throws Error if its output lacks the text */
	private async execute(text: string): Promise<void> {
		const output = this.panel.locator('[data-test-id="output-panel"]');
		const items = output.getByText(/\b\d+ items?\b/).first();
		const refusal = this.page.getByText('Workflow execution cannot start');
		do {
			if (await refusal.isVisible())
				await this.page.locator('.el-notification__closeBtn').first().click();
			await this.panel.locator('[data-test-id="node-execute-button"]').click();
			await items.or(refusal).first().waitFor();
			// The editor may take in what was typed after the click.
		} while (!(await items.isVisible()) && (await refusal.isVisible()));
		const shown = output.getByText(text).first().waitFor();
		await shown.catch(async () => {
			throw new Error(`The output lacks ${text}: ${await output.innerText()}`);
		});
	}

	private async createBooking(): Promise<void> {
		await this.add('harvest', 'Create booking of a tractor for real');
		for (const [field, option] of Object.entries(CHOSEN)) await this.choose(field, option);
		for (const [field, value] of Object.entries(TYPED)) await this.fill(field, value);
		await this.execute('1 created');
	}

	/** What is to be pasted stands in lines of its own. */
	private async errorOfSheet(): Promise<void> {
		const row = { ...rowsOfSheet(1)[0], Officer: 'Musa', 'Receipt No': 'R-1' };
		const sheet = { resource: 'booking', operation: 'createFromSpreadsheet', phoneCountry: 'none' };
		const credentials = { [CREDENTIAL_TYPES.apiKey]: { id: null, name: credentialName } };
		const id = await this.n8n.client.importWorkflow({
			name: 'Officers',
			nodes: [
				nodeOf('Start', 'manualTrigger', 1, {}),
				nodeOf('Rows', 'set', 3.4, { mode: 'raw', jsonOutput: JSON.stringify(row) }),
				nodeOf('Book', ACTION, 1, sheet, { credentials }),
			],
			connections: { Start: to('Rows'), Rows: to('Book') },
			settings: { executionOrder: 'v1' },
		});
		await this.page.goto(`${this.n8n.url}/workflow/${id}`);
		await this.page.locator('.vue-flow__node').filter({ hasText: 'Book' }).dblclick();
		await this.panel.locator('[data-test-id="node-execute-button"]').click();
		const shown = await this.byId('node-error-description').innerText();
		mustSay('The error', shown, /Ignored Columns:\nOfficer\nReceipt No$/);
	}

	private async searchByPhone(): Promise<void> {
		const [id = 0] = this.sandbox.store.bookings.ids('A');
		const phone = asText(this.sandbox.store.bookings.get(id)?.farmerPhone);
		await this.add('booking', 'Get booking');
		await this.panel.locator('[data-test-id="rlc-input"]').click();
		await this.byId('rlc-search').fill(phone.slice(-6));
		await this.byId('rlc-item').filter({ hasText: phone }).first().click();
		await this.execute(phone);
	}

	private async trigger(): Promise<void> {
		await this.add('hire', 'On booking completed');
		await this.execute('eventId');
		await this.byId('ndv-close-button').click();
		await this.page.getByRole('button', { name: 'Publish' }).first().click();
		await this.byId('workflow-publish-button').click();
		await this.page.getByText('Workflow published').waitFor();
	}
}

export async function editor(theatre: Theatre): Promise<string[]> {
	const sandbox = theatre.closeAtEnd(await startSandbox({ bookings: 60 }));
	const browser = theatre.closeAtEnd(await startBrowser());
	const n8n = await theatre.startN8n('editor', sandbox);
	const { page } = await Editor.open(browser, n8n.url);
	page.setDefaultTimeout(30_000);
	return await new EditorFlows(page, n8n, sandbox).run();
}
