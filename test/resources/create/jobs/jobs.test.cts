import { readFileSync, writeFileSync } from 'node:fs';
import { join } from 'node:path';

import { groupBy } from '../../../../nodes/TractorBooking/utils/groupBy';
import { virtualClockForTests } from '../../../support/virtualClock.cts';
import { FORMS } from './forms.cts';
import { FATES, runOf, type Fate, type Play, type Run } from './play.cts';
import { KEYS, STORIES, type Story } from './stories.cts';

/** With `JOBS=write` or full loads, each story is played in each way, and the page is written or compared as a whole. */
const isWritten = process.env.JOBS === 'write';
const isWhole = isWritten || process.env.LOADS === 'full';
const PAGE = join(__dirname, 'outcomes.txt');

/** The page as it is: each story stands below what it usually comes to. */
const written = readFileSync(PAGE, 'utf8');
const isUsual = ({ form, restarts }: Play) => form === FORMS[0] && restarts;

/** The ways in which a story is played. */
const waysOf = ({ key: only }: Story) =>
	KEYS.filter((key) => key === (only ?? key))
		.flatMap((key) =>
			FORMS.flatMap((form) => [true, false].map((restarts): Play => ({ form, restarts, key }))),
		)
		.filter((way) => isWhole || isUsual(way));

const runs: Run[] = [];

const clock = virtualClockForTests();

it.each(STORIES)('$name', async (story) => {
	for (const way of waysOf(story)) {
		clock.reset();
		const run = await runOf(story, way);
		const { fate } = run;
		runs.push(run);
		// Where nothing remembers a row, a list that hides its phone may not tell it either.
		const mayDouble = way.key === KEYS[0] || story.forgets;
		expect(mayDouble ? ['once', 'asked', 'doubled'] : ['once', 'asked']).toContain(fate);
	}
	if (!isWritten) expect(usualOf(story.name)).toBe(writtenOf(story.name));
});

/** What a story comes to with each key, in the first form and with a restart. */
function usualOf(story: string): string {
	const usual = runs.filter((run) => run.story.name === story && isUsual(run.way));
	return usual.map(({ fate }) => fate).join(', ');
}

/** The heading that a story stands below on the page. */
function writtenOf(story: string): string | undefined {
	const section = written
		.split('\n### ')
		.find((text) => text.split('\n').some((line) => line.replace(/ \(.*\)$/, '') === `- ${story}`));
	return section?.split('\n')[0];
}

const countIn = (some: readonly Run[], wanted: Fate) =>
	some.filter(({ fate }) => fate === wanted).length;

/** Stories below what each usually comes to, with how often another of its runs came to something worse. */
function storiesText(all: readonly Run[]): string {
	const stories = [...groupBy(all, ({ story }) => story.name)].map(([name, some]) => {
		const usual = some.find(({ way }) => isUsual(way))?.fate ?? 'once';
		const worse = FATES.slice(0, FATES.indexOf(usual))
			.map((fate) => [fate, countIn(some, fate)] as const)
			.filter(([, count]) => count > 0)
			.map(([fate, count]) => `${fate} in ${count} of ${some.length}`);
		return {
			usual: usualOf(name),
			line: [`- ${name}`, ...worse.map((text) => `(${text})`)].join(' '),
		};
	});
	return [...groupBy(stories, ({ usual }) => usual)]
		.map(([usual, some]) => `### ${usual}\n\n${some.map(({ line }) => line).join('\n')}`)
		.join('\n\n');
}

function page(): string {
	const inOrder = runs.toSorted((a, b) => STORIES.indexOf(a.story) - STORIES.indexOf(b.story));
	const ofStories = inOrder.filter(({ story, way }) => way.key === (story.key ?? KEYS[0]));
	return `What becomes of each job (\`JOBS=write npx jest test/resources/create/jobs/jobs.test.cts\` writes this)

What people do to sheets, with each form of the list, with and without a restart of n8n between the runs. A run counts as the worst that became of one of its jobs:

- once: booked once, and no one is asked
- asked: left to a person
- swallowed: not booked, and no one is told
- doubled: booked twice

Below what comes of it as documented, after a restart: with ${KEYS.join(', with ')}; or with the only one of them that makes the story. Where some runs with ${KEYS[0]} came to something worse, their number follows.

${storiesText(ofStories)}
`;
}

(isWhole ? it : it.skip)('the page says so', () => {
	// A story that ended halfway would be missing.
	expect(runs).toHaveLength(STORIES.flatMap(waysOf).length);
	if (isWritten) writeFileSync(PAGE, page());
	else expect(page()).toBe(written);
});
