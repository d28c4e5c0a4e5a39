import { count, part, show } from '../../html';
import { pageOf, type Html } from './form';
import { list, whyLeftOut, type Groups } from './outcomeParts';
import { nextList, noteOf, ofTab, spanOf } from './questionPages';
import type { Step } from './step';

/**
 * What stands above the choice. n8n tells fields apart by their places, and stops at the answer of another preview whose
 * choice stands elsewhere: so it is there even if it says nothing.
 */
function shortly(
	step: Step,
	{ toLookAt, unknown, leftOut }: Groups,
	remarks: readonly string[],
): Html {
	const toSee = toLookAt.length + unknown.length;
	const texts = [
		...(toSee > 0 ? [`${count(toSee, 'row')} to look at: see below.`] : []),
		...(leftOut.length > 0 ? [`${leftOut.length} left out: ${whyLeftOut(leftOut)}.`] : []),
	];
	const html = [
		...noteOf(step).map((note) => note.html),
		`<p>${show(texts.join(' '))}</p>`,
		remarks.length > 0 ? part('Please note', list(remarks)) : '',
	].join('');
	return { html };
}

/** A row is sent 1.2 s after the one before it at the latest: about 50 a minute (interface, "Limits"). */
const SECONDS_A_ROW = 1.2;

interface Preview {
	step: Step;
	groups: Groups;
	/** What to know before deciding. */
	remarks: readonly string[];
	title: string;
	/** What becomes of each row. */
	html: string;
	/** Whether there are answers to change. */
	hasAnswers: boolean;
}

/** The page that shows what will happen, and asks whether to book. */
export function previewPage(
	{ step, groups, remarks, title, html, hasAnswers }: Preview,
	number: number,
) {
	const { unknown, toBook } = groups;
	const { length } = toBook;
	const canBook = length > 0;
	const rows = count(length, 'row');
	const options = [
		...(canBook ? [{ text: `Book ${rows}`, value: 'book' }] : []),
		...(hasAnswers ? [{ text: 'Change my answers', value: 'change' }] : []),
		...(nextList(step) ? [{ text: 'Choose another tab', value: 'tab' }] : []),
		{ text: canBook ? 'Stop here' : 'Finish', value: 'stop' },
	];
	const wait = 'leave this page open';
	const nothingYet =
		unknown.length > 0 ? 'This upload has booked nothing yet.' : 'Nothing is booked yet.';
	const heading = {
		title,
		text: `${canBook ? nothingYet : 'No row can be booked now.'}${ofTab(step)}`,
		button: 'Continue',
		wait: `Please wait: ${wait}.`,
		booking: {
			title: `Booking ${rows} …`,
			wait: `This takes up to ${spanOf(5 + SECONDS_A_ROW * length)}: ${wait}. If you close it, n8n goes on: upload the same sheet again to see what is booked.`,
		},
	};
	const preset = canBook ? 'book' : 'stop';
	const choice = { key: 'choice', label: 'What now?', options, preset } as const;
	const parts = [shortly(step, groups, remarks), choice, { html }];
	return pageOf(heading, parts, step.answers, number);
}
