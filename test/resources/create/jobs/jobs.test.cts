import { groupBy } from '../../../../nodes/TractorBooking/utils/groupBy';
import { FORMS } from './forms.cts';
import { FATES, type Fate, type Play, type Run } from './play.cts';
import { isWhole, isWritten, playStories } from './storyPage.cts';
import { KEYS, STORIES, type Story } from './stories.cts';

const isUsual = ({ form, restarts }: Play) => form === FORMS[0] && restarts;

const keysOf = ({ key: only }: Story) => KEYS.filter((key) => key === (only ?? key));

/** The ways in which a story is played: all of them with full loads, else one of the usual ones. */
function waysOf(story: Story): Play[] {
	const ways = keysOf(story).flatMap((key) =>
		FORMS.flatMap((form) => [true, false].map((restarts): Play => ({ form, restarts, key }))),
	);
	if (isWhole) return ways;
	const usual = ways.filter(isUsual);
	return usual.slice(STORIES.indexOf(story) % usual.length).slice(0, 1);
}

/** What a story comes to with each key, in the first form and with a restart. */
const usualOf = (runs: readonly Run[]) =>
	runs
		.filter(({ way }) => isUsual(way))
		.map(({ fate }) => fate)
		.join(', ');

/** The heading that a story stands below on the page: what it usually comes to. */
function headingOf(story: string, page: string): string | undefined {
	const section = page
		.split('\n### ')
		.find((text) => text.split('\n').some((line) => line.replace(/ \(.*\)$/, '') === `- ${story}`));
	return section?.split('\n')[0];
}

const countIn = (some: readonly Run[], wanted: Fate) =>
	some.filter(({ fate }) => fate === wanted).length;

/** Stories below what each usually comes to, with how often another of its runs came to something worse. */
function storiesText(all: readonly Run[]): string {
	const stories = [...groupBy(all, ({ story }) => story.name)].map(([name, every]) => {
		const some = every.filter(({ story, way }) => way.key === (story.key ?? KEYS[0]));
		const usual = some.find(({ way }) => isUsual(way))?.fate ?? 'once';
		const worse = FATES.slice(0, FATES.indexOf(usual))
			.map((fate) => [fate, countIn(some, fate)] as const)
			.filter(([, count]) => count > 0)
			.map(([fate, count]) => `(${fate} in ${count} of ${some.length})`);
		return { usual: usualOf(every), line: [`- ${name}`, ...worse].join(' ') };
	});
	return [...groupBy(stories, ({ usual }) => usual)]
		.map(([usual, some]) => `### ${usual}\n\n${some.map(({ line }) => line).join('\n')}`)
		.join('\n\n');
}

const pageOf = (
	runs: readonly Run[],
) => `What becomes of each job by the rules of docs/developers/spreadsheets-internals.md (\`JOBS=write npx jest test/resources/create/jobs/jobs.test.cts\` writes this)

What people do to sheets, with each form of the list, with and without a restart of n8n between the runs. A run counts as the worst that became of one of its jobs:

- once: booked once, and no one is asked
- asked: left to a person
- swallowed: not booked, and no one is told
- doubled: booked twice

Below what comes of it as documented, after a restart: with ${KEYS.join(', with ')}; or with the only one of them that makes the story. Where some runs with ${KEYS[0]} came to something worse, their number follows.

${storiesText(runs)}
`;

playStories({
	...{ file: 'outcomes.txt', stories: STORIES, waysOf, pageOf },
	judge(runs, story, page) {
		for (const { way, fate } of runs) {
			// Where nothing remembers a row, a list that hides its phone may not tell it either.
			const mayDouble = way.key === KEYS[0] || story.forgets;
			expect(mayDouble ? ['once', 'asked', 'doubled'] : ['once', 'asked']).toContain(fate);
		}
		if (isWritten) return;
		const usual = headingOf(story.name, page)?.split(', ') ?? [];
		for (const { way, fate } of runs.filter(({ way }) => isUsual(way)))
			expect(fate).toBe(usual[keysOf(story).indexOf(way.key)]);
	},
});
