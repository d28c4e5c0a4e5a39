import { clean, plain } from '../../label';
import { textOf, type Answers } from './answers';
import type { Ask } from './step';

/** HTML between the questions of a page. */
export interface Html {
	html: string;
}

interface Heading {
	title: string;
	text: string;
	button: string;
	/** What is said while the next page is made. */
	wait: string;
	/** The same while rows are booked, with another title. */
	booking?: { title: string; wait: string };
}

export const isAsk = <A extends Ask>(one: A | Html): one is A => 'key' in one;

const LONGEST_LABEL = 200;

const asLabel = (text: string) => plain(text).slice(0, LONGEST_LABEL).trim();

const LONGEST_TEXT = 40;

export function short(value: unknown): string {
	const text = clean(value);
	return text.length > LONGEST_TEXT ? `${text.slice(0, LONGEST_TEXT - 1)}…` : text;
}

/** Makes texts differ that n8n could not tell apart. */
function distinctTexts() {
	const known = new Set<string>();
	return (text: string) => {
		let own = text;
		while (known.has(own)) own += ' ·';
		known.add(own);
		return own;
	};
}

export const isEqual = (one: unknown, other: unknown) =>
	JSON.stringify(one) === JSON.stringify(other);

/** More options than these are in a dropdown. */
const MOST_BUTTONS = 5;

/** A question as it stands on a page, where no two labels and no two options of a question are the same. */
function shown(ask: Ask, label: string): Ask {
	const own = distinctTexts();
	const options = ask.options.map(({ text, value }) => ({
		// Commas separate the ticks that are set.
		text: own(ask.many ? asLabel(text).replace(/,/g, '‚') : asLabel(text)),
		value,
	}));
	return { ...ask, label, options };
}

function fieldOf(ask: Ask, answers: Answers) {
	const { key, label, options, many, of } = ask;
	const known = key === 'choice' || key === 'tab' ? undefined : answers[key];
	const given = known ?? ask.preset;
	if (ask.typed)
		return {
			...{ fieldLabel: label, fieldType: 'text', placeholder: 'For example: North' },
			...{ requiredField: false, defaultValue: textOf(answers[ask.key]) },
		};
	const isSet = ({ value }: { value: unknown }) =>
		many ? [given].flat().some((one) => one === value) : isEqual(given, value);
	return {
		fieldLabel: label,
		fieldType: many ? 'checkbox' : options.length > MOST_BUTTONS ? 'dropdown' : 'radio',
		fieldOptions: { values: options.map(({ text }) => ({ option: text })) },
		// It may be hidden.
		requiredField: !many && !of,
		defaultValue: options
			.filter(isSet)
			.map(({ text }) => text)
			.join(','),
	};
}

/** Hides what is asked of a column until that is chosen. @param at place of the other question, among the fields */
function hidingRule({ options }: Ask, value: unknown, at: number, own: number): string {
	const option = options.findIndex((one) => isEqual(one.value, value));
	const chosen =
		options.length > MOST_BUTTONS
			? `#field-${at} option:nth-of-type(${option + 2}):checked`
			: `#option${option}_field-${at}:checked`;
	return `.inputs-wrapper:not(:has(${chosen})) > div:has(#field-${own}) { display: none; }`;
}

/**
 * The button says what is chosen, and stands right below the choice: what is on the page after it comes below. While rows
 * are booked, the page says so, and nothing else.
 *
 * @param at place of the choice, among the fields
 */
function choiceRules({ options }: Ask, at: number, booking: Heading['booking']): string[] {
	const chosen = (option: number) => `#n8n-form:has(#option${option}_field-${at}:checked)`;
	const labels = options.map(
		({ text }, option) => `${chosen(option)} #submit-btn::after { content: "${text}"; }`,
	);
	const book = chosen(options.findIndex(({ value }) => value === 'book'));
	const whileBooked = booking && [
		`${book}:has(#submit-btn:disabled) h1 { font-size: 0; }`,
		`${book}:has(#submit-btn:disabled) h1::after { content: "${booking.title}"; font-size: 20px; }`,
		`${book}:has(#submit-btn:disabled) :is(.form-header p, .inputs-wrapper) { display: none; }`,
		`${book}:has(#submit-btn:disabled)::after { content: "${booking.wait}"; }`,
	];
	return [
		'#n8n-form { display: flex; flex-direction: column; }',
		'.inputs-wrapper { display: contents; }',
		'.inputs-wrapper > div, #submit-btn { margin-top: 20px; flex: none; }',
		'#submit-btn, #n8n-form::after { order: 1; }',
		`.inputs-wrapper > div:has(#field-${at}) ~ div { order: 2; }`,
		'#submit-btn { font-size: 0; }',
		'#submit-btn::after { content: "Continue"; font-size: 14px; }',
		...labels,
		...(whileBooked ?? []),
	];
}

/** A page of the form. @param number by which its answer is told from that of another page */
export function pageOf(
	{ wait, booking, ...heading }: Heading,
	parts: ReadonlyArray<Ask | Html>,
	answers: Answers,
	number: number,
) {
	const labelOf = distinctTexts();
	const all = parts.map((one) => (isAsk(one) ? shown(one, labelOf(asLabel(one.label))) : one));
	const fields = [
		{ fieldType: 'hiddenField', fieldName: 'page', fieldValue: String(number) },
		...all.map((one) => (isAsk(one) ? fieldOf(one, answers) : { fieldType: 'html', ...one })),
	];
	const rules = all.flatMap((one, index) => {
		if (isAsk(one) && one.key === 'choice') return choiceRules(one, index + 1, booking);
		if (!isAsk(one) || !one.of) return [];
		const { key, value } = one.of;
		const at = all.findIndex((any) => isAsk(any) && any.key === key);
		const other = all[at];
		// The hidden field is the first one.
		return other && isAsk(other) ? hidingRule(other, value, at + 1, index + 1) : [];
	});
	const css = [`form:has(#submit-btn:disabled)::after { content: "${wait}"; }`, ...rules];
	return {
		page: { ...heading, fields, css: css.join('\n') },
		asks: all.filter(isAsk),
	};
}
