import { readFileSync, writeFileSync } from 'node:fs';

import { groupBy } from '../../../../nodes/TractorBooking/utils/groupBy';
import { VirtualClock } from '../../../support/virtualClock.cts';
import { FORMS } from './forms.cts';
import { play, type Fate, type Play } from './play.cts';
import { KEYS, STORIES, type Story } from './stories.cts';

/** The worse first: a run counts as the worst that became of one of its jobs. */
const FATES = ['doubled', 'swallowed', 'asked', 'once'] as const satisfies readonly Fate[];

/** With `JOBS=write` or full loads, each story is played in each way, and the page is written or compared as a whole. */
const isWritten = process.env.JOBS === 'write';
const isWhole = isWritten || process.env.LOADS === 'full';
const PAGE = 'docs/developers/jobs.md';

/** The lines of the page as it is: each story ends with what the ways that every run of the suite plays come to. */
const lines = readFileSync(PAGE, 'utf8').split('\n');
const isUsual = ({ form, restarts }: Play) => form === FORMS[0] && restarts;

/** The ways in which a story is played. */
const waysOf = ({ key: only }: Story) =>
	KEYS.filter((key) => key === (only ?? key))
		.flatMap((key) =>
			FORMS.flatMap((form) => [true, false].map((restarts): Play => ({ form, restarts, key }))),
		)
		.filter((way) => isWhole || isUsual(way));

interface Run {
	story: Story;
	way: Play;
	fate: Fate;
}

const runs: Run[] = [];

let clock: VirtualClock;
beforeAll(() => (clock = VirtualClock.start()));
afterAll(() => clock.stop());

/** Plays a story in each way. @returns the worst that became of one of its jobs, each time */
async function playAll(story: Story): Promise<Run[]> {
	const played: Run[] = [];
	for (const way of waysOf(story)) {
		clock.reset();
		const fates = [...(await play(story, way)).values()];
		const fate = FATES.find((one) => fates.includes(one)) ?? 'once';
		played.push({ story, way, fate });
	}
	return played;
}

async function tell(story: Story): Promise<void> {
	const played = await playAll(story);
	runs.push(...played);
	for (const { way, fate } of played) {
		// Where nothing remembers a row, a list that hides its phone may not tell it either.
		const mayDouble = way.key === KEYS[0] || story.forgets;
		expect(mayDouble ? ['once', 'asked', 'doubled'] : ['once', 'asked']).toContain(fate);
	}
	const line = lines.find((text) => text.startsWith(`| ${story.name} |`));
	if (!isWritten) expect(line).toContain(`| ${usualOf(story.name)} |`);
}

it.each(STORIES)('$name', tell);

/** What a story comes to with each key, in the first form and with a restart. */
function usualOf(story: string): string {
	const usual = runs.filter((run) => run.story.name === story && isUsual(run.way));
	return usual.map(({ fate }) => fate).join(', ');
}

/** The rows of a table: how many runs there are, and how often each is the worst that became of a job. */
function tableOf(groups: Map<string, Run[]>, more: Record<string, (name: string) => string> = {}) {
	const cells = [...groups].map(([name, some]) => {
		const counts = FATES.toReversed().map((fate) => some.filter((run) => run.fate === fate).length);
		const last = Object.values(more).map((text) => text(name));
		return [name, some.length, ...counts.map((count) => count || ''), ...last];
	});
	const head = ['', 'runs', ...FATES.toReversed(), ...Object.keys(more)];
	return [head, head.map((_, at) => (at > 0 && at < 6 ? '--:' : '---')), ...cells]
		.map((line) => `| ${line.join(' | ')} |`)
		.join('\n');
}

const total = (all: readonly Run[], name: (run: Run) => string) => tableOf(groupBy(all, name));

/** The page, by all runs. */
function page(): string {
	const inOrder = runs.toSorted((a, b) => STORIES.indexOf(a.story) - STORIES.indexOf(b.story));
	const plain = runs.filter(({ way }) => way.key === KEYS[0]);
	const ofStories = inOrder.filter(({ story, way }) => way.key === (story.key ?? KEYS[0]));
	return `# What becomes of each job

What people do to sheets, played at a service that knows which job each row really is. Each story runs with each form of the list, with and without a restart between the runs. A run counts as the worst that became of one of its jobs: *doubled* is booked twice; *swallowed* is not booked, and no one is told; *asked* leaves a row to a person; *once* is booked once, and no one is asked. This page is made by \`JOBS=write npx jest test/resources/create/jobs/jobs.test.cts\`; the stories are in [\`stories.cts\`](../../test/resources/create/jobs/stories.cts), the forms in [\`forms.cts\`](../../test/resources/create/jobs/forms.cts).

## In all

${total(runs, ({ way }) => `with ${way.key}`)}

Of sheets with ${KEYS[0]}:

${total(plain, ({ way }) => (way.restarts ? 'n8n restarts between the runs' : 'n8n runs on'))}

${total(plain, ({ way }) => way.form.name)}

## Each story

Of sheets with ${KEYS[0]}, or with that which alone makes the story. The last column is what comes of the first form with a restart: with ${KEYS.join(', with ')}.

${tableOf(
	groupBy(ofStories, ({ story }) => story.name),
	{ 'after a restart': usualOf },
)}
`;
}

(isWhole ? it : it.skip)('the page says so', () => {
	// A story that ended halfway would be missing.
	expect(runs).toHaveLength(STORIES.flatMap(waysOf).length);
	if (isWritten) writeFileSync(PAGE, page());
	else expect(page()).toBe(lines.join('\n'));
});
