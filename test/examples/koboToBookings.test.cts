// Submissions of KoBoToolbox, without n8n: the code and the parameters are those of the file, the node is real.
import type { IDataObject } from 'n8n-workflow';

import type { AskedRow } from '../../examples/code/possibleDuplicates';
import { accounts } from '../../nodes/TractorBooking/api/account';
import { asText } from '../../nodes/TractorBooking/utils/text';
import { nodeNamed, readExample } from '../../tools/examples.cts';
import type { WorkflowFile } from '../../tools/n8nClient.cts';
import { perform, recordsOf } from '../support/action.cts';
import { dayFromNow, eachWithSandbox, sentTo } from '../support/bookings.cts';
import { processedData } from '../support/engine.cts';
import { assignmentsOf, codeOf, valueOf } from './nodes.cts';

const sandbox = eachWithSandbox();

let workflow: WorkflowFile;
beforeAll(async () => {
	workflow = await readExample('kobo-to-bookings', { 'Book the rows': { phoneCountry: 'NG' } });
});

const field = (_id: number, more: IDataObject = {}): IDataObject => ({
	...{
		_id,
		_uuid: `uuid-${_id}`,
		farmer_name: 'Amina Bello',
		farmer_phone: '08031234567',
		service: 'Ploughing',
	},
	...{ service_date: dayFromNow(9), land_area: '2', area_unit: 'ha' },
	...{ farm_gps: `10.5${_id} 7.4 650 5`, crops: `maize crop${_id}`, ...more },
});

function named($json: IDataObject): IDataObject {
	const cells = valueOf(assignmentsOf(workflow, 'Name the columns'), { $json }) as IDataObject;
	return Object.fromEntries(Object.entries(cells).map(([name, cell]) => [name, asText(cell)]));
}

async function book(rows: IDataObject[]): Promise<IDataObject[]> {
	const { parameters, onError } = nodeNamed(workflow, 'Book the rows');
	const name = 'booking:createFromSpreadsheet';
	const { items } = await perform(sandbox, name, parameters, { rows, onError });
	return recordsOf(items);
}

const nodeOf = (records: object[]) => ({
	all: () => records.map((json) => ({ json })),
	first: () => ({ json: records[0] }),
});

const resultsOf = (rows: readonly IDataObject[]) => rows.map(({ result }) => result);

/** One execution. @param answer of the officer to each question @param onHold the submissions once it is answered */
async function execute(
	submissions: IDataObject[],
	answer: (asked: AskedRow) => string,
	onHold = submissions,
) {
	const rows = await book(submissions.map(named));
	const asked = codeOf(workflow, 'What may be booked already', { $input: nodeOf(rows) });
	const questions = asked as unknown as AskedRow[];
	const data = Object.fromEntries(questions.map((one) => [one.question, answer(one)]));
	const nodes: Record<string, object[]> = {
		'Ask the officer': [{ data }],
		'What may be booked already': questions,
		'Get the approved submissions': submissions,
	};
	const answered = codeOf(workflow, 'What was answered', {
		$input: nodeOf(onHold),
		$: (node: string) => nodeOf(nodes[node] ?? []),
	});
	const decided = answered.length > 0 ? await book(answered) : [];
	return { results: resultsOf(rows), questions, decided };
}

const isAnother = () => 'Another job';
const submissions = [field(1), field(2), field(3)];

it('asks about more fields of a farmer, and books none that only a plot tells apart', async () => {
	const { results, questions, decided } = await execute(submissions, isAnother);
	expect(results).toEqual(['created', 'possible duplicate', 'possible duplicate']);
	expect(questions).toHaveLength(2);
	// Nobody has said that the third is another job than the second.
	expect(resultsOf(decided)).toEqual(['created', 'possible duplicate']);
	const corrected = submissions.map((one) => ({ ...one, plot: `field ${asText(one._id)}` }));
	const again = await execute(corrected, isAnother);
	expect(again.results).toEqual(['already booked', 'already booked', 'created']);
	expect(sentTo(sandbox)).toHaveLength(3);
});

it('books once a job of two submissions that is another one than the booking', async () => {
	await execute([field(1, { land_area: '5' })], isAnother);
	processedData.clear();
	accounts.clear();
	const { questions, decided } = await execute([field(2), field(3)], isAnother);
	expect(questions).toHaveLength(2);
	expect(resultsOf(decided)).toEqual(['created', 'possible duplicate']);
	expect(sentTo(sandbox)).toHaveLength(2);
});

it('books none that was edited, decided or deleted before the answer', async () => {
	const [first = {}, second = {}, third = {}] = submissions;
	const edited = { ...second, _uuid: 'edited', land_area: '7' };
	const { decided } = await execute(submissions, isAnother, [first, edited]);
	expect(decided).toEqual([]);
	const { results } = await execute([third], isAnother, []);
	expect(results).toEqual(['possible duplicate']);
	expect(sentTo(sandbox)).toHaveLength(1);
});

it('books two fields that have a plot each, without asking', async () => {
	const [first, second] = submissions.slice(0, 2);
	await execute([first ?? {}, second ?? {}], () => '');
	const corrected = [field(1, { plot: 'North' }), field(2, { plot: 'River' })];
	const { results, questions } = await execute(corrected, () => '');
	expect([results, questions]).toEqual([['already booked', 'created'], []]);
	expect(sentTo(sandbox)).toHaveLength(2);
});
