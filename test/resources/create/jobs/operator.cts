import type { IDataObject } from 'n8n-workflow';

import { asText } from '../../../../nodes/TractorBooking/utils/text';
import { saidOf } from '../../../support/bookings.cts';
import { JOB } from './stories.cts';

/** A row as a run returned it, and whether the run named it as booked otherwise. */
export interface Returned {
	json: IDataObject;
	isWarnedOf: boolean;
}

/** What the operator knows of jobs: the bookings that they have, and the Row IDs by which they were booked. */
export interface Truth {
	bookingsOf: (job: string) => readonly IDataObject[];
	rowIdOf: (job: string) => IDataObject[string];
}

/** What the operator does about a row: cells that are changed; undefined if it is deleted. */
type Change = IDataObject | undefined;

const NONE: IDataObject = {};

let rowIds = 0;
const newRowId = () => `new ${++rowIds}`;

const idOf = ({ bookingID }: IDataObject) => asText(bookingID);

const withDenial = (cell: unknown, id: string) =>
	/^not /.test(asText(cell)) ? `${asText(cell)}, ${id}` : `not ${id}`;

/** Does what the message says, as who reads nothing else. @param row as it was run @param others of the sheet */
function answerTo(
	row: IDataObject,
	{ json, isWarnedOf }: Returned,
	others: readonly IDataObject[],
	{ bookingsOf, rowIdOf }: Truth,
): Change {
	const job = asText(row[JOB]);
	const reason = saidOf(json);
	const own = bookingsOf(job);
	const ownIds = own.map(idOf);
	const possible = asText(json.possibleBookingIDs).split(', ').filter(Boolean);
	const ownOf = (ids: readonly string[]) => ids.find((id) => ownIds.includes(id));
	const is = (bookingID: string): IDataObject => ({ bookingID });
	const withPlot = { Plot: `field of ${job}` };

	if (json.result === 'already booked') {
		const shown = possible[0] ?? idOf(json);
		if (!isWarnedOf) return NONE;
		if (/not in the list/.test(reason) && own.length === 0)
			return { ...withPlot, ...('Request No' in row && { 'Request No': newRowId() }) };
		const yes = ownOf(possible);
		if (yes !== undefined) return is(yes);
		return /^\d+$/.test(shown) && !ownIds.includes(shown)
			? is(withDenial(row.bookingID, shown))
			: NONE;
	}
	if (json.result !== 'possible duplicate' && json.result !== 'to fix') return NONE;

	const rowId = rowIdOf(job);
	if (/if its Row ID was changed, change it back/i.test(reason) && own.length > 0)
		if (asText(rowId) !== asText(row['Request No'])) return { 'Request No': rowId };
	if (/is not a phone number/.test(reason)) {
		const [earlier] = bookingsOf(job.replace(/ next month$/, ''));
		return { Phone: earlier?.farmerPhone ?? row.Phone };
	}
	const [, day = ''] = / is a booking for (\S+), which is/.exec(reason) ?? [];
	if (day) {
		const [, no = ''] = /, write "(not [\d, ]+)" in this cell/.exec(reason) ?? [];
		return own.length > 0 ? { Date: day } : is(no);
	}
	if (/was booked before, for another farmer or another day/.test(reason)) {
		const [booked] = own;
		if (!booked) return { 'Request No': newRowId() };
		const { farmerName: Name, farmerPhone: Phone, serviceDate } = booked;
		return { Name, Phone, Date: serviceDate };
	}
	const named = /row (\d+) \([^;]*\) is the same|is also the Row ID of row (\d+)/.exec(reason);
	const number = named?.[1] ?? named?.[2];
	const earlier = others.find((one) => asText(one.row_number) === number);
	if (earlier && earlier[JOB] === job) return undefined;
	if (/is also the Row ID of/.test(reason)) return { 'Request No': newRowId() };
	if (/correct it, or empty the cell if the row is not booked yet/i.test(reason)) {
		const isTwice = others.some(
			(one) => one[JOB] === job && Number(one.row_number) < Number(row.row_number),
		);
		if (/delete the row if it is the same job/.test(reason) && isTwice) return undefined;
		const id = ownOf(ownIds) ?? '';
		const [booked] = own;
		if (/write the name and the phone that the booking shows/.test(reason) && booked)
			if (id === asText(row.bookingID))
				return { Name: booked.farmerName, Phone: booked.farmerPhone };
		return is(id);
	}
	const yes = ownOf(possible) ?? (/write its Booking ID/.test(reason) ? ownIds[0] : undefined);
	if (yes !== undefined) return is(yes);
	const [, no] =
		/if it is another job(?:, or must be booked again)?, write "(not \d+(?:, \d+)*)"/.exec(
			reason,
		) ?? [];
	const isNew = /give it a Row ID that was never used/.test(reason);
	return {
		...(no && is(no)),
		...(isNew && { 'Request No': newRowId() }),
		...(/write in Plot/.test(reason) && withPlot),
	};
}

/** The sheet after an operator has done what its messages say. @returns undefined if they asked for nothing */
export function answerAll(
	rows: readonly IDataObject[],
	returned: readonly Returned[],
	truth: Truth,
): IDataObject[] | undefined {
	const changes = new Map<IDataObject, Change>();
	for (const row of rows) {
		const one = returned.find(({ json }) => json.row_number === row.row_number);
		if (!one) continue;
		const left = rows.filter((other) => !(changes.has(other) && changes.get(other) === undefined));
		const others = left.filter((other) => other !== row);
		const change = answerTo(row, one, others, truth);
		const isChanged =
			change === undefined ||
			Object.entries(change).some(([column, cell]) => asText(row[column]) !== asText(cell));
		if (!isChanged) continue;
		changes.set(row, change);
		// "Write in Plot of both rows": the earlier row gets one, too, and its Booking ID.
		const [, number] = /write in Plot of both rows/.test(saidOf(one.json))
			? (/(?:; row |: row )(\d+)/.exec(saidOf(one.json)) ?? [])
			: [];
		const earlier = others.find((other) => asText(other.row_number) === number);
		if (earlier && change && !earlier.Plot) {
			const job = asText(earlier[JOB]);
			const [booked] = truth.bookingsOf(job);
			const cells = { Plot: `field of ${job}`, ...(booked && { bookingID: idOf(booked) }) };
			changes.set(earlier, { ...changes.get(earlier), ...cells });
		}
	}
	if (changes.size === 0) return undefined;
	return rows.flatMap((row) => {
		if (!changes.has(row)) return [row];
		const change = changes.get(row);
		return change ? [{ ...row, ...change }] : [];
	});
}
