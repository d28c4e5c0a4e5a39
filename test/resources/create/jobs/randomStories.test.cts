import fc from 'fast-check';
import type { IDataObject } from 'n8n-workflow';

import { asText } from '../../../../nodes/TractorBooking/utils/text';
import type { Fate } from '../../../support/lateService.cts';
import { virtualClockForTests } from '../../../support/virtualClock.cts';
import { FORMS } from './forms.cts';
import { play } from './play.cts';
import { dayFromNow, KEYS, row, type Story } from './stories.cts';

// What people may do to a sheet from run to run, by chance: no job is booked twice, and none is left out without a word.

const STORIES = Number(process.env.FC_RUNS ?? 40);

const clock = virtualClockForTests();

const FARMERS = ['Amina Bello', 'Bala Musa', 'Chika Obi', 'Dauda Sani', 'Efe Ade'];

const jobs = fc
	.uniqueArray(
		fc.tuple(fc.nat(4), fc.nat(3), fc.nat(2), fc.constantFrom(1, 2), fc.constantFrom(201, 203)),
		{ selector: String, minLength: 1, maxLength: 7 },
	)
	.map((some) =>
		some.map(([farmer, phone, day, area, Tractor], at) =>
			row(`job ${at}`, 10 + phone, FARMERS[farmer] ?? '', {
				Date: dayFromNow(day + 1),
				'Area (ha)': area,
				Tractor,
			}),
		),
	);

/** Corrections of a row, to what is in no other. */
const CORRECTIONS: ReadonlyArray<(cells: IDataObject) => IDataObject> = [
	({ Name }) => ({ Name: `${asText(Name)}h` }),
	({ Name }) => ({ Name: `Mrs ${asText(Name)}` }),
	({ Name }) => ({ Name: asText(Name).split(' ').reverse().join(', ') }),
	() => ({ Phone: '+2348039990001' }),
	() => ({ Phone: '0803 999 0001' }),
	() => ({ Service: 4 }),
	() => ({ 'Area (ha)': 7.5 }),
	() => ({ Tractor: 202 }),
	() => ({ Crop: 'Maize' }),
];

/** A later run: some of the rows first, perhaps without the others, perhaps with one that is typed twice. */
const later = fc.record({
	first: fc.array(fc.nat(6), { maxLength: 7 }),
	isWhole: fc.boolean(),
	twice: fc.nat(12),
});

const stories = fc.record({
	jobs,
	/** At most one correction of each job: of two, nothing tells that it is the same. */
	corrected: fc.array(fc.option(fc.constantFrom(...CORRECTIONS)), { maxLength: 7 }),
	runs: fc.array(later, { minLength: 1, maxLength: 3 }),
	fates: fc.array(fc.constantFrom<Fate[]>('booked', 'lost', 'dropped', '500'), { maxLength: 4 }),
	death: fc.option(fc.record({ run: fc.nat(3), step: fc.integer({ min: 1, max: 40 }) })),
	listedAfter: fc.constantFrom(0, 1, 5),
	minutes: fc.constantFrom(6, 25, 1_500),
	isOneByOne: fc.boolean(),
	previews: fc.nat(1),
	form: fc.constantFrom(...FORMS.slice(0, 2), ...FORMS.slice(3, 4)),
	restarts: fc.boolean(),
	key: fc.constantFrom(...KEYS),
});

it(
	`of ${STORIES} stories, no job is doubled or swallowed`,
	async () => {
		const property = fc.asyncProperty(stories, async (one) => {
			clock.reset();
			// Two jobs that differ in the tractor alone need a Row ID each.
			const first = one.jobs.filter(({ Tractor }) => Tractor === 201 || one.key === 'Row ID');
			fc.pre(first.length > 0);
			const corrected = first.map((cells, at): IDataObject => ({
				...cells,
				...one.corrected[at]?.(cells),
			}));
			const next = one.runs.map(({ first: places, isWhole, twice }, at) => {
				const some = corrected.filter((_, place) => places.includes(place));
				const others = corrected.filter((cells) => !some.includes(cells));
				const again = corrected.slice(twice, twice + 1);
				const isLast = at === one.runs.length - 1;
				return [...some, ...(isWhole || isLast ? others : []), ...again];
			});
			const story: Story = {
				...one,
				name: 'by chance',
				sheets: [first, ...next],
				minutes: [first, ...next].map(() => one.minutes),
				death: one.death && { ...one.death, run: one.death.run % one.runs.length },
				fate: (count) => one.fates[count - 1] ?? 'booked',
			};
			const fates = await play(story, one);
			expect([...fates.values()].filter((fate) => fate !== 'once' && fate !== 'asked')).toEqual([]);
		});
		await fc.assert(property, { numRuns: STORIES });
	},
	60_000 + STORIES * 1_000,
);
