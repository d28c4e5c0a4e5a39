import { readFileSync, writeFileSync } from 'node:fs';
import { join } from 'node:path';

import { virtualClockForTests } from '../../../support/virtualClock.cts';
import { runOf, type Play, type Run } from './play.cts';
import type { Story } from './stories.cts';

/** With `JOBS=write`, pages are written instead of compared. */
export const isWritten = process.env.JOBS === 'write';

/** With full loads, each story is played in each way, and the page compared as a whole. */
export const isWhole = isWritten || process.env.LOADS === 'full';

interface StoryPage {
	file: string;
	stories: readonly Story[];
	waysOf: (story: Story) => Play[];
	/** Judges the runs of a story by the page as it is. */
	judge: (runs: readonly Run[], story: Story, page: string) => void;
	/** The page of all runs, in the order of their stories. */
	pageOf: (runs: readonly Run[]) => string;
}

/** Plays stories, a test each, and keeps a page of what becomes of them. */
export function playStories(page: StoryPage): void {
	const { stories, waysOf } = page;
	const path = join(__dirname, page.file);
	const written = readFileSync(path, 'utf8');
	const runs: Run[] = [];
	const clock = virtualClockForTests();
	// A story is played in up to sixty ways, however slow the machine is.
	if (isWhole) jest.setTimeout(15 * 60_000);

	it.each(stories)('$name', async (story) => {
		const own: Run[] = [];
		for (const way of waysOf(story)) {
			clock.reset();
			own.push(await runOf(story, way));
		}
		runs.push(...own);
		page.judge(own, story, written);
	});

	(isWhole ? it : it.skip)('the page says so', () => {
		// A story that ended halfway would be missing.
		expect(runs).toHaveLength(stories.flatMap(waysOf).length);
		const text = page.pageOf(
			runs.toSorted((a, b) => stories.indexOf(a.story) - stories.indexOf(b.story)),
		);
		if (isWritten) writeFileSync(path, text);
		else expect(text).toBe(written);
	});
}
