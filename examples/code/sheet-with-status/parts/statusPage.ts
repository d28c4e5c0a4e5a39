import { groupBy } from '../../../../nodes/TractorBooking/utils/groupBy';
import { asText, compareNames, isTimeHeading } from '../../../../nodes/TractorBooking/utils/text';
import { count, dayOf, part, show, table } from '../../html';
import { serviceDay } from '../../serviceDay';
import { dateOf, isDayNumber } from '../../sheetDays';
import { withEmptyLines } from '../../sheetLines';

export interface SheetRow {
	row_number: number;
	[column: string]: unknown;
}

/** What Booking > Get gives: a booking, or why it cannot be read. */
export interface FoundBooking {
	bookingID?: number;
	bookingStatusLabel?: string;
	tractorPairedTo?: number | null;
	serviceDate?: string;
	farmerName?: string;
	farmerPhone?: string;
	error?: string | { message?: string };
}

export interface StatusPage {
	title: string;
	html: string;
	/** The sheet that is given back. */
	lines: Array<Record<string, unknown>>;
}

const isDay = (text: string) => /^\d{4}-\d\d-\d\d$/.test(text);

const shownDay = (date: string) => (isDay(date) ? dayOf(date) : date);

const OVER = ['completed', 'declined', 'to_completed'];

/** A row with its booking. @param today as `YYYY-MM-DD` */
function joined(row: SheetRow, found: FoundBooking, today: string) {
	const { error } = found;
	const why = error && asText(typeof error === 'object' ? (error.message ?? error) : error);
	// For a booking that it cannot read, Get gives the row.
	const booking: FoundBooking = why ? {} : found;
	const { bookingID, bookingStatusLabel = '', serviceDate, tractorPairedTo } = booking;
	const date = serviceDay(serviceDate ?? '');
	const isOpen = bookingID !== undefined && !OVER.includes(bookingStatusLabel);
	return {
		...{ row, why, bookingID, date, isOpen },
		farmerName: booking.farmerName,
		farmerPhone: booking.farmerPhone,
		status: why ? `not read: ${why}` : bookingStatusLabel,
		tractor: tractorPairedTo ?? '',
		isOverdue: isOpen && isDay(date) && date < today,
	};
}

type JoinedRow = ReturnType<typeof joined>;

/** The day of a booked row is in no doubt: it is written as a person reads it. */
const daysIn = (row: object) =>
	Object.fromEntries(
		Object.entries(row).map(([column, cell]: [string, unknown]) => [
			column,
			isTimeHeading(column) && isDayNumber(cell) ? dateOf(cell) : cell,
		]),
	);

/** A table at its full length, to be printed. */
const list = (...content: Parameters<typeof table>) => `<span>${table(...content)}</span>`;

/** What a person has to see to, each booking with all that is known of it. */
function attentionPart(what: string, some: readonly JoinedRow[]): string {
	const heads = ['Row', 'Farmer', 'Phone', 'Day', 'Tractor', 'Booking', 'Status'];
	const lines = some.map((one) => {
		const day = shownDay(one.date);
		const [row, farmer, phone] = [one.row.row_number, one.farmerName, one.farmerPhone];
		return [row, farmer, phone, day, one.tractor, one.bookingID, one.status];
	});
	return part(`${count(some.length, 'booking')} ${what}`, list(heads, lines));
}

/** The list of a driver: the work of one tractor on one day. */
function driverPart(some: readonly JoinedRow[]): string {
	const { tractor = '', date = '' } = some[0] ?? {};
	const heads = ['Row', 'Farmer', 'Phone', 'Booking', 'Status'];
	const lines = some.map(({ row, farmerName, farmerPhone, bookingID, status }) => {
		return [row.row_number, farmerName, farmerPhone, bookingID, status];
	});
	const who = tractor === '' ? 'No tractor yet' : `Tractor ${show(tractor)}`;
	return part(`${who}, ${show(shownDay(date) || 'no day')}`, list(heads, lines));
}

function countsOf(read: readonly JoinedRow[]): string {
	const byStatus = [...groupBy(read, ({ status }) => status)];
	return byStatus.map(([status, { length }]) => `${status} ${length}`).join(', ');
}

/**
 * @param asked the rows that have a booking ID
 * @param found the booking of each of these
 */
export function statusPage(
	sheet: readonly SheetRow[],
	asked: readonly SheetRow[],
	found: readonly FoundBooking[],
	today: string,
): StatusPage {
	const bookings = new Map(asked.map(({ row_number }, at) => [row_number, found[at] ?? {}]));
	const rows = sheet.map((row) => joined(row, bookings.get(row.row_number) ?? {}, today));
	const read = rows.filter(({ bookingID }) => bookingID !== undefined);
	const unread = rows.filter(({ why }) => why);
	const overdue = rows.filter(({ isOverdue }) => isOverdue);
	const declined = read.filter(({ status }) => status === 'declined');
	const todo = rows.filter(({ isOpen, isOverdue }) => isOpen && !isOverdue);

	const parts = [`<p>${show(countsOf(read))}</p>`];
	if (unread.length > 0) {
		const why = unread.map((one) => [one.row.row_number, one.row.bookingID, one.why]);
		const title = `${count(unread.length, 'row')} whose booking cannot be read`;
		parts.push(part(title, list(['Row', 'bookingID', 'Why'], why)));
	}
	if (overdue.length > 0) parts.push(attentionPart('overdue', overdue));
	if (declined.length > 0) parts.push(attentionPart('declined', declined));
	const lists = [...groupBy(todo, ({ tractor, date }) => JSON.stringify([`${tractor}`, date]))];
	for (const [, own] of lists.sort(([a], [b]) => compareNames(a, b))) parts.push(driverPart(own));

	const isAnyNamed = asked.some(({ bookingID }) => bookingID);
	const none = isAnyNamed ? 'No booking can be read' : 'No row of the first tab has a bookingID';
	const last =
		read.length === 0
			? 'Upload the sheet that “Book tractors for farmers” gave you, or any with a column bookingID. Only the first tab is read: if the list is in another one, move that to the front.'
			: 'Your browser has saved the sheet with the columns bookingStatusLabel and bookedTractorId. Print this page for the drivers.';
	const lines = rows.map((one) => {
		const { row_number: number, ...own } = one.row;
		const { status, tractor, isOverdue } = one;
		// Columns that *Spreadsheet to bookings* knows as its own.
		const columns = {
			bookingStatusLabel: isOverdue ? `overdue: ${status}` : status,
			bookedTractorId: tractor,
		};
		const cells = one.bookingID === undefined ? own : daysIn(own);
		return { number, line: { ...cells, ...columns } };
	});
	return {
		title:
			read.length === 0
				? none
				: `${read.length} of ${count(rows.length, 'row')} of the first tab have a booking`,
		html: `${parts.join('')}<p>${last}</p>`,
		lines: withEmptyLines(lines),
	};
}
