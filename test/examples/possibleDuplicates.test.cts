import type { IDataObject } from 'n8n-workflow';

import {
	answeredRows,
	possibleDuplicates,
	unchanged,
} from '../../examples/code/possibleDuplicates';

/** A row as the node gives it back, with its results before its own columns. */
const row = (id: number, more: IDataObject = {}): IDataObject => ({
	...{ result: 'possible duplicate', reason: 'may be booked already', bookingID: null },
	...{ possibleBookingIDs: '5001, 5002', bookedTractorId: null },
	...{ id, name: 'Amina', crop: null, day: '2027-12-31', ready: true },
	...more,
});
const rows = [row(1), row(2, { result: 'created', bookingID: 5003 }), row(3, { name: 'Bola' })];
const asked = possibleDuplicates(rows, 'id');
const [first = '', second = ''] = asked.map(({ question }) => question);

it('asks about a booked row with an open question, and not about one that names no booking', () => {
	const some = [
		row(1, { result: 'already booked', possibleBookingIDs: '5001' }),
		row(2, { result: 'already booked', possibleBookingIDs: null }),
		row(3, { possibleBookingIDs: null }),
		row(4, { result: 'to fix' }),
	];
	expect(possibleDuplicates(some, 'id', 'Submission').map(({ question }) => question)).toEqual([
		'Submission 1: Amina, 2027-12-31',
	]);
});

it('asks in a label that n8n leaves as it is', () => {
	const [one] = possibleDuplicates([row(1, { farm: 'house -> <b>river </b>\nat 2 km ' })], 'id');
	expect(one?.question).toBe('Row 1: Amina, 2027-12-31, house -› ‹b›river ‹/b› at 2 km');
});

it.each(['not 5001', '"not 5001"', 'not 4000,5001'])('does not offer again: %s', (bookingID) => {
	const [question] = possibleDuplicates([row(1, { bookingID, possibleBookingIDs: '5001' })], 'id');
	expect(question?.choices).toEqual(['It is booking 5001']);
});

it.each(['Not 4000,4000', '“not 4000”'])('adds to what the cell denies: %s', (bookingID) => {
	const questions = possibleDuplicates([row(1, { bookingID })], 'id');
	const written = row(1, { bookingID: 'not 4000, 5001, 5002' });
	expect(answeredRows(questions, { [first]: 'Another job' })).toEqual([written]);
});

it.each(['', 'It is booking 5003', undefined])('takes %j for no answer', (answer) => {
	const given = { [first]: answer, [second]: 'It is booking 5001' };
	expect(answeredRows(asked, given)).toMatchObject([{ id: 3, bookingID: '5001' }]);
});

it.each<[string, IDataObject[], boolean]>([
	['is as it was', [row(1, { ready: false, status: 'new', crop: '', bookingID: '' })], true],
	['was changed', [row(1, { name: 'Bola' })], false],
	['was answered meanwhile', [row(1, { bookingID: 'not 5001' })], false],
	['has another question by now', [row(1, { possibleBookingIDs: '5001' })], false],
	['is booked by now', [row(1, { result: 'created', bookingID: 5004 })], false],
	['is gone', [], false],
])('tells whether a row %s', (_, now, isUnchanged) => {
	expect(unchanged(asked.slice(0, 1), now, 'id')).toHaveLength(Number(isUnchanged));
});
