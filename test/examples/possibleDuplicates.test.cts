import { answersGiven, possibleDuplicates } from '../../examples/code/possibleDuplicates';

const row = (id: number, more = {}) => ({
	...{ id, name: 'Amina', note: null, ready: true },
	...{ result: 'possible duplicate', reason: `like booking ${id}`, ...more },
});
const rows = [row(1), row(2, { result: 'created' }), row(3)];
const asked = possibleDuplicates(rows, 'id');
const answers = { 'Row 1: like booking 1': 'Same job', 'Row 3: like booking 3': 'Another job' };

it('asks about possible duplicates only', () => {
	expect(asked.map(({ question }) => question)).toEqual(Object.keys(answers));
});

it('takes the answers about rows that are as they were, but for what the workflow writes', () => {
	const now = [row(1, { ready: false, reason: 'another', note: '' }), ...rows.slice(1)];
	expect(answersGiven(asked, answers, now, 'id')).toEqual([
		{ id: 1, answer: 'Same job' },
		{ id: 3, answer: 'Another job' },
	]);
});

it.each<[string, Record<string, unknown> | undefined, string]>([
	['was changed', row(1, { name: 'Bola' }), 'Same job'],
	['was answered meanwhile', row(1, { result: 'Same job' }), 'Same job'],
	['is gone', undefined, 'Same job'],
	['got no answer', row(1), ''],
	['got an answer that is in no list', row(1), 'Perhaps'],
])('takes no answer about a row that %s', (_, now, answer) => {
	const given = { 'Row 1: like booking 1': answer };
	const found = now ? [now as ReturnType<typeof row>] : [];
	expect(answersGiven(asked, given, found, 'id')).toEqual([]);
});
