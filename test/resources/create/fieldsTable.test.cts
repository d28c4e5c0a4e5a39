import { readFileSync, writeFileSync } from 'node:fs';

import {
	COLUMN_FIELDS,
	fieldOf,
} from '../../../nodes/TractorBooking/resources/booking/create/row/fields';

const PAGE = 'docs/columns.md';
const [START, END] = ['<!-- fields -->', '<!-- /fields -->'];

function tableText(): string {
	const rows = COLUMN_FIELDS.map((name) => {
		const { label, example, headings, rank } = fieldOf(name);
		const core = rank === 'core' ? ' (core)' : '';
		return `| **${label}**${core} | \`${example}\` | ${headings} |`;
	});
	return ['| field | example | other headings |', '|---|---|---|', ...rows].join('\n');
}

// `DOCS=write npx jest fieldsTable` writes it.
it('docs/columns.md has the table of columns', () => {
	const page = readFileSync(PAGE, 'utf8');
	const [before = '', rest = ''] = page.split(START);
	const [, after = ''] = rest.split(END);
	const made = `${before}${START}\n${tableText()}\n${END}${after}`;
	if (process.env.DOCS === 'write') writeFileSync(PAGE, made);
	expect(readFileSync(PAGE, 'utf8')).toBe(made);
});
