import { groupBy } from '../../../../utils/groupBy';
import { cleanText, wordIn, wordsOf } from '../../../../utils/text';
import { issuesOf, type Row } from '../row/row';
import { NONE_OF_THESE, type Answer } from './answer';

/** Something that a sheet leaves open, and that a person can say once for all its rows. */
export interface Question {
	/** The setting that answers it; `serviceType` if cells name a service that no tractor offers. */
	about: 'areaUnit' | 'columnMapping' | 'dateOrder' | 'phoneCountry' | 'serviceType';
	/** The field that no column holds, or several may; `coordinates` stand for a tractor, too. */
	field?: string;
	/** Empty if no column is known to hold the field. */
	column: string;
	/** A cell that leaves it open; of `columnMapping` the label of the field. */
	value: string;
	answers: Answer[];
	/** The value of the answer that is likely right. */
	suggested?: Answer['value'];
	/** Whether the sheet itself gives that answer: then it need not be asked. */
	isSure?: boolean;
	/** What the sheet says on it, if not only what is suggested: an answer for another sheet holds if that said the same. */
	says?: string[];
}

/** The words of a service that tell it from others: those of `plow_harrow` and `Ploughing, harrowing` are alike. */
const longWordsOf = (text: string) =>
	wordsOf(text)
		.filter(({ length }) => length > 3)
		.map((word) => word.replace('ough', 'ow'));

const areAlike = (one: string, other: string) => one.startsWith(other) || other.startsWith(one);

const areIn = (some: readonly string[], all: readonly string[]) =>
	some.length > 0 && some.every((one) => all.some((other) => areAlike(one, other)));

/** The words for services that no row gets, each with what the tractors of its rows offer. */
export function serviceQuestions(rows: readonly Row[]): Question[] {
	const known = new Set(
		rows
			.filter(({ request }) => request.serviceType !== undefined)
			.map(({ serviceName }) => wordIn(serviceName)),
	);
	const open = rows
		.flatMap(issuesOf)
		.filter(({ choices = [], value }) => choices.length > 0 && !known.has(wordIn(value)))
		// Each row has its own in another column of the form.
		.filter(({ value }) => !/^(?:other|autre)s?$/.test(wordIn(value)));
	return [...groupBy(open, ({ value }) => wordIn(value)).values()].map((some): Question => {
		const value = cleanText(some[0]?.value);
		const choices = [...new Set(some.flatMap((issue) => issue.choices ?? []))].sort();
		const words = longWordsOf(value);
		// A choice with some of the words may be another service: `Disc ploughing` is no `disc_harrow`.
		const [suggested, ...others] = choices.filter(
			(choice) => areIn(words, longWordsOf(choice)) || areIn(longWordsOf(choice), words),
		);
		const answers = choices.map((choice) => ({ text: choice, value: choice }));
		answers.push({ text: NONE_OF_THESE, value: '' });
		return {
			...{ about: 'serviceType', column: some[0]?.column ?? '', value, answers },
			suggested: others.length > 0 ? undefined : suggested,
		};
	});
}
