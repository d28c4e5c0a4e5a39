import { groupBy } from '../../../../utils/groupBy';
import { asText, cleanText } from '../../../../utils/text';
import { issuesOf, type CheckedRow } from '../row';
import { countryQuestion, dateQuestion, unitQuestion, unsendableQuestions } from './cellQuestions';
import { columnQuestions, optionalQuestions } from './columnQuestions';
import { NO_SUCH_ROW, type OpenSheet, type Question } from './questions';

/** What a sheet leaves open: which column holds a field, and how to read its cells. */
export async function questionsOf(sheet: OpenSheet): Promise<Question[]> {
	return [
		...columnQuestions(sheet),
		...(await dateQuestion(sheet)),
		...(await unitQuestion(sheet)),
		...(await countryQuestion(sheet)),
		...(await unsendableQuestions(sheet)),
		...optionalQuestions(sheet),
	];
}

/** The words for services that no row gets, each with what the tractors of its rows offer. */
export function serviceQuestions(rows: readonly CheckedRow[]): Question[] {
	const wordOf = (cell: unknown) => cleanText(asText(cell));
	const known = new Set(
		rows.flatMap(({ request = {}, serviceName }) =>
			request.serviceType === undefined ? [] : wordOf(serviceName),
		),
	);
	const open = rows
		.flatMap(issuesOf)
		.filter(({ choices = [], value }) => choices.length > 0 && !known.has(wordOf(value)));
	return [...groupBy(open, ({ value }) => wordOf(value))].map(([value, some]): Question => {
		const choices = [...new Set(some.flatMap((issue) => issue.choices ?? []))].sort();
		const answers = choices.map((choice) => ({ text: choice, value: choice }));
		answers.push({ text: NO_SUCH_ROW, value: '' });
		const column = some[0]?.column ?? '';
		return { about: 'serviceType', column, value, rows: some.length, answers };
	});
}
