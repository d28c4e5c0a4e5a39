import type { IDataObject } from 'n8n-workflow';
import { RESULT_COLUMNS } from '../../nodes/TractorBooking/resources/booking/create/row/results';
import { asText } from '../../nodes/TractorBooking/utils/text';
import { denialIn } from './denial';
import { jsonOf } from './items';
import { plain } from './label';

/** A row that may be booked already, and what an officer is asked about it. */
export interface AskedRow {
	row: IDataObject;
	question: string;
	choices: string[];
}

/** Columns that n8n, the node or the workflow writes. */
const WRITTEN: readonly string[] = [
	...['id', '_id', 'row_number', 'createdAt', 'updatedAt', 'Ready', 'ready', 'status'],
	...RESULT_COLUMNS,
];

const ANOTHER_JOB = 'Another job';

const isBooking = (id: string) => `It is booking ${id}`;

const possibleIds = ({ possibleBookingIDs }: IDataObject) =>
	asText(possibleBookingIDs).split(', ').filter(Boolean);

/** What people have filled in. */
function filledIn(row: IDataObject): string {
	const cells = Object.entries(row).filter(([name]) => !WRITTEN.includes(name));
	return cells
		.map(([, cell]) => asText(cell))
		.filter(Boolean)
		.join(', ');
}

/**
 * The rows that a person has to decide about.
 *
 * @param key column that tells the rows apart
 * @param noun what a row is called
 */
export function possibleDuplicates(
	rows: readonly IDataObject[],
	key: string,
	noun = 'Row',
): AskedRow[] {
	return rows
		.filter(({ result }) => result === 'possible duplicate' || result === 'already booked')
		.filter((row) => possibleIds(row).length > 0)
		.map((row) => ({
			row,
			question: plain(`${noun} ${asText(row[key])}: ${filledIn(row)}`),
			choices: [...possibleIds(row).map(isBooking), ...(isDenied(row) ? [] : [ANOTHER_JOB])],
		}));
}

/** Whether the row is said to be another job already: then only its Plot can tell it apart. */
function isDenied(row: IDataObject): boolean {
	const ids = asText(row.bookingID).split(/[^\w-]+/);
	return possibleIds(row).some((id) => ids.includes(id));
}

/** What the answer to a question writes into the Booking ID of its row; undefined if it is none. */
function cellFor({ row, choices }: AskedRow, answer: unknown): string | undefined {
	const ids = possibleIds(row);
	const at = choices.findIndex((choice) => choice === answer);
	return at < ids.length ? ids[at] : denialIn(row.bookingID, ids);
}

/** The rows that were answered, with the answer in their Booking ID. */
export function answeredRows(asked: readonly AskedRow[], answers: IDataObject): IDataObject[] {
	return asked.flatMap((one) => {
		const bookingID = cellFor(one, answers[one.question]);
		return bookingID === undefined ? [] : [{ ...one.row, bookingID }];
	});
}

/** The rows that the officer has answered in this run. @param stillAsked leaves out rows that have changed since */
export function justAnswered(stillAsked: (asked: AskedRow[]) => AskedRow[]): IDataObject[] {
	const asked = jsonOf($('What may be booked already').all<AskedRow>());
	const { data = {} } = $('Ask the officer').first<{ data?: IDataObject }>().json;
	return answeredRows(stillAsked(asked), data);
}

const stateOf = (row: IDataObject): string =>
	[filledIn(row), row.result, row.bookingID, row.possibleBookingIDs].map(asText).join('; ');

/** The questions about rows that are still as they were. */
export function unchanged(
	asked: readonly AskedRow[],
	rows: readonly IDataObject[],
	key: string,
): AskedRow[] {
	const now = new Map(rows.map((row) => [row[key], stateOf(row)]));
	return asked.filter(({ row }) => now.get(row[key]) === stateOf(row));
}
