import { groupBy } from '../../../../nodes/TractorBooking/utils/groupBy';
import { countBy } from '../../../../tools/tally.cts';
import { ANSWER_STORIES } from './answerStories.cts';
import { FORMS } from './forms.cts';
import { FATES, type Play, type Run } from './play.cts';
import { isWhole, isWritten, playStories } from './storyPage.cts';
import { KEYS, STORIES, type Story } from './stories.cts';

// All stories, with an operator who does what the messages say.

/** Full loads play all stories, else half of those that `jobs.test.cts` plays, too. */
const ALL = [...STORIES.filter((_, at) => isWhole || at % 2 === 0), ...ANSWER_STORIES];

/** What becomes of a sheet before its ending counts, too. */
const ENDINGS: ReadonlyArray<Pick<Play, 'answers' | 'ending'>> = [
	{ answers: 'Stop' },
	{ answers: 'Continue', ending: 'the next month' },
	{ answers: 'Continue', ending: 'n8n forgets all' },
];

/** All in the first form, and half of those in the others: any two of a form, a key and an ending meet. */
const WAYS = FORMS.flatMap((form, first) =>
	KEYS.flatMap((key, second) =>
		ENDINGS.filter((_, third) => first === 0 || (first + second + third) % 2 === 1).map(
			(one): Play => ({ form, key, restarts: true, ...one }),
		),
	),
);

/** In the first form: the sheet of a person in the next month, and that which comes back with a node that stops. */
const isUsual = ({ form, key, answers, ending }: Play, { key: only }: Story) => {
	const isLast = ending === 'the next month' && key === (only ?? KEYS[0]);
	return form === FORMS[0] && (isLast || (answers === 'Stop' && key === KEYS[1]));
};

/** With full loads, a story is played in all of these ways, else in one of the usual ones. */
function waysOf(story: Story): Play[] {
	const ways = WAYS.filter(({ key }) => key === (story.key ?? key));
	if (isWhole) return ways;
	const usual = ways.filter((way) => isUsual(way, story));
	return usual.slice(ALL.indexOf(story) % usual.length).slice(0, 1);
}

const countsOf = (some: readonly Run[]) => {
	const counts = countBy(some, ({ fate }) => fate);
	return FATES.map((fate) => [fate, counts.get(fate) ?? 0] as const);
};

const wayText = ({ ending }: Play) => ending ?? 'the node stops on errors';

function pageOf(runs: readonly Run[]): string {
	const rows = [...groupBy(runs, ({ way }) => `${way.form.name} | ${wayText(way)}`)].map(
		([way, some]) => [way, some.length, ...countsOf(some).map(([, count]) => count)].join(' | '),
	);
	const lines = [...groupBy(runs, ({ story }) => story.name)].flatMap(([name, some]) => {
		const worse = [...groupBy(some, ({ way }) => way.key)].flatMap(([key, ofKey]) => {
			const counts = countsOf(ofKey).filter(([fate, count]) => fate !== 'once' && count > 0);
			return counts.map(([fate, count]) => `${fate} in ${count} of ${ofKey.length} with ${key}`);
		});
		return worse.length > 0 ? [`- ${name} (${worse.join(', ')})`] : [];
	});
	return `What becomes of each job whose questions are answered (\`JOBS=write npx jest test/resources/create/jobs/answers.test.cts\` writes this)

An operator who knows which job each row is does what the messages say, and runs the whole sheet again, until nothing is asked, or six times. With Booking ID, the sheet is that which came back; else that of the person, with the answers alone. A history counts as the worst that became of one of its jobs: asked means without end. The node stops on errors, or continues; then it is *the next month*, all rows are a month later, and every answer is still in the sheet; or *n8n forgets all*, and the sheet runs on an hour later.

list | what | histories | ${FATES.join(' | ')}
---|---|---|${FATES.map(() => '---').join('|')}
${rows.join('\n')}

Where a history did not end well:

${lines.join('\n')}
`;
}

playStories({
	...{ file: 'answers.txt', stories: ALL, waysOf, pageOf },
	judge(runs, { name }, page) {
		const line = page.split('\n').find((one) => one.startsWith(`- ${name} (`)) ?? '';
		for (const { fate } of runs) {
			expect(fate).not.toBe('swallowed');
			if (!isWritten && fate !== 'once') expect(line).toContain(fate);
		}
	},
});
