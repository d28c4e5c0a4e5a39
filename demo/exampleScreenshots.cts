import { readdir } from 'node:fs/promises';
import { join } from 'node:path';
import type { Page } from 'playwright-core';
import { Editor } from '../tools/browser.cts';
import { readExample } from '../tools/examples.cts';
import { picture, setStage } from './stage.cts';

/** Pixels around the nodes of a workflow. */
const MARGIN = 20;

const examples = join(__dirname, '..', 'examples');
const images = join(__dirname, '..', '.github', 'images');

const buttons =
	'.vue-flow__panel, [data-test-id="canvas-wrapper"] button, header, [role="radiogroup"]';

/** The part of a page that has the nodes and notes of a workflow, with their names. */
async function aroundNodes(page: Page) {
	const nodes = await page.locator('.vue-flow__node').all();
	const boxes = (await Promise.all(nodes.map(async (node) => await node.boundingBox()))).filter(
		(box) => box !== null,
	);
	const x = Math.min(...boxes.map((box) => box.x)) - MARGIN;
	const y = Math.min(...boxes.map((box) => box.y)) - MARGIN;
	const right = Math.max(...boxes.map((box) => box.x + box.width)) + 4 * MARGIN;
	// Names are below their nodes, and below these the lines that lead back.
	const bottom = Math.max(...boxes.map((box) => box.y + box.height)) + 6 * MARGIN;
	const canvas = await page.locator('.vue-flow').first().boundingBox();
	if (!canvas) throw new Error('The editor shows no canvas.');
	const [left, top] = [Math.max(canvas.x, x - 3 * MARGIN), Math.max(canvas.y, y)];
	return {
		x: left,
		y: top,
		width: Math.min(canvas.x + canvas.width, right) - left,
		height: Math.min(canvas.y + canvas.height, bottom) - top,
	};
}

/** `node -r tsx/cjs demo/exampleScreenshots.cts [name …]` makes the pictures of examples/README.md, or some: each workflow in the real editor. */
void picture(async (theatre, browser) => {
	const { n8n } = await setStage(theatre);
	const asked = process.argv.slice(2);
	const all = (await readdir(examples)).filter((file) => file.endsWith('.json'));
	const names = all.map((file) => file.replace('.json', ''));
	const chosen = asked.length > 0 ? asked : names;
	const editor = await Editor.open(browser, n8n.url);
	await editor.page.setViewportSize({ width: 1280, height: 640 });
	for (const name of chosen) {
		await editor.showWorkflow(await n8n.client.importWorkflow(await readExample(name)));
		const path = join(images, `${name}.png`);
		// The editor's buttons lie above the lowest nodes.
		await editor.page.addStyleTag({ content: `${buttons} { visibility: hidden !important; }` });
		await editor.page.screenshot({ path, clip: await aroundNodes(editor.page) });
		console.log(`Wrote ${path}`);
	}
});
