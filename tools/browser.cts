import { existsSync } from 'node:fs';
import { chromium, type Browser, type Page } from 'playwright-core';
import { owner } from './n8nClient.cts';
import { SetupError } from './n8nHost/host.cts';

const executables = [
	process.env.CHROMIUM ?? '',
	'/usr/bin/chromium',
	'/usr/bin/chromium-browser',
	'/usr/bin/google-chrome',
	'/Applications/Google Chrome.app/Contents/MacOS/Google Chrome',
];

/** How long animations take, in milliseconds. */
const settling = 1_500;

/** Starts a browser without a window. @throws SetupError if this machine has no browser. */
export async function startBrowser(): Promise<Browser> {
	const executablePath = executables.find((path) => path && existsSync(path));
	if (!executablePath)
		throw new SetupError(
			'No Chromium was found. On Debian: apt-get install -y chromium. Or set CHROMIUM to its path.',
		);
	return await chromium.launch({ executablePath, args: ['--disable-gpu', '--disable-quic'] });
}

/** What the browser tells pages that the person prefers; n8n follows it. */
type Theme = 'light' | 'dark';

/** n8n's editor in a browser, as its owner sees it. */
export class Editor {
	private constructor(
		readonly page: Page,
		readonly url: string,
	) {}

	/** Opens the editor and signs in. */
	static async open(browser: Browser, url: string, theme: Theme = 'light'): Promise<Editor> {
		const viewport = { width: 1440, height: 810 };
		const page = await browser.newPage({ viewport, colorScheme: theme });
		await page.goto(`${url}/signin`);
		await page.locator('input[type="email"]').fill(owner.email);
		await page.locator('input[type="password"]').fill(owner.password);
		await page.getByRole('button', { name: 'Sign in' }).click();
		await page.waitForURL((url) => !url.pathname.startsWith('/signin'));
		return new Editor(page, url);
	}

	/** Opens a page and waits until its animations have ended. */
	async show(url: string): Promise<void> {
		await this.page.goto(url);
		await this.page.waitForLoadState('load');
		await this.page.waitForTimeout(settling);
	}

	/** Shows a workflow, all of it. */
	async showWorkflow(id: string): Promise<void> {
		await this.page.goto(`${this.url}/workflow/${id}`);
		await this.page.locator('.vue-flow__node').first().waitFor();
		await this.page.waitForLoadState('networkidle');
		await this.page.keyboard.press('1'); // n8n's key for "fit to view"
		await this.page.waitForTimeout(settling);
	}
}
