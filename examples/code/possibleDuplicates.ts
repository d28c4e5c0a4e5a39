import type { IDataObject } from 'n8n-workflow';
import { asText } from '../../nodes/TractorBooking/utils/text';

/** A row that may be booked already, and what an officer is asked about it. */
export interface AskedRow extends IDataObject {
	question: string;
}

/** @param key column that tells the rows apart */
export function possibleDuplicates(rows: readonly IDataObject[], key: string): AskedRow[] {
	return rows
		.filter(({ result }) => result === 'possible duplicate')
		.map((row) => ({ ...row, question: `Row ${asText(row[key])}: ${asText(row.reason)}` }));
}

/** Columns that the workflow writes itself. */
const WRITTEN = ['ready', 'Ready', 'bookingID', 'status', 'reason', 'updatedAt'];

const ANSWERS: readonly unknown[] = ['Same job', 'Another job'];

/** The answers about rows that are still as they were. */
export function answersGiven(
	asked: readonly AskedRow[],
	answers: IDataObject,
	rows: readonly IDataObject[],
	key: string,
): IDataObject[] {
	const now = new Map(rows.map((row) => [row[key], row]));
	return asked.flatMap((row) => {
		const answer = answers[row.question];
		const found = now.get(row[key]) ?? {};
		const isSame = (name: string) =>
			WRITTEN.includes(name) || asText(found[name]) === asText(row[name]);
		return ANSWERS.includes(answer) &&
			found.result === 'possible duplicate' &&
			Object.keys(found).every(isSame)
			? [{ [key]: row[key], answer }]
			: [];
	});
}
