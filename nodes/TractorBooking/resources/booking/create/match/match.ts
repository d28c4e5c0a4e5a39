import { statusCode, statusLabel } from '../../../../api/status';
import { formatValue } from '../../../../parse/issue';
import { listOf } from '../../../../parse/labels';
import { labelOf, labelsOf } from '../fields';
import { asText, isEmpty } from '../../../../utils/text';
import { inTurns } from '../../../../utils/turns';
import type { RowIds } from '../claims/rowIds';
import { jobIn, type ExistingBookings } from './existingBookings';
import type { Likeness } from './likeness';
import { JOB_FIELDS, MATCH_FIELDS } from './likeness';
import { candidatesFor, ignoredBookingsOf, pairRows, type Pair } from './pairs';
import { repeatedRows } from './typedRow';
import type { FinishedRow, OpenRow, ParsedRow, Row, SheetRow } from '../row';
import { finished, isCompared, issueIn, rejected, rejectedFor, rowsIn } from '../row';

/** A row that names its booking, and that is valid otherwise. */
type ValidRow = FinishedRow & Pick<OpenRow, 'request'>;

function isValid(row: FinishedRow): row is ValidRow {
	return row.request !== undefined;
}

/** How to decide by an option for one row: for a sheet, options hold for all of its rows. */
function aloneWith({ columns }: SheetRow, option: string, value: string): string {
	return `${columns ? `run this row alone with ${option} set` : `set ${option}`} to ${value}`;
}

/** Rejects a row that lacks a value in one of its match fields, unless it is booked anyway. */
export function checkMatchFields(row: ParsedRow): ParsedRow | FinishedRow {
	const job = jobIn(row);
	const empty = row.settings.matchFields.filter((field) => job[field] === undefined);
	if (!isCompared(row) || empty.length === 0) return row;
	const problem = 'is empty, so the node cannot check whether the row is booked already';
	const fix = `fill it in, or ${aloneWith(row, 'If Already Booked', 'Create Anyway')}`;
	const issues = empty.map((field) => issueIn(row, field, undefined, problem, fix));
	return rejected(row, row.pastDate ? [...issues, row.pastDate] : issues);
}

/** The fields of a pair that are, in this way, the same, different or not comparable. */
function fieldsOf(
	{ alike }: Pair,
	isSame: boolean | undefined,
	fields: ReadonlyArray<keyof Likeness>,
) {
	return fields.filter((field) => alike[field] === isSame);
}

/** Why a booking may not be that of the row that is paired with it; undefined if it is. */
export function doubtOf(pair: Pair): string | undefined {
	const { booking, kind, rival } = pair;
	if (rival) return `it could be that of ${rowsIn([rival])}`;
	if (kind === 'equal') return undefined;
	const different = fieldsOf(pair, false, MATCH_FIELDS);
	const { hasIdField, settings } = pair.row;
	const needed = [...settings.matchFields, ...(hasIdField ? JOB_FIELDS : [])];
	const unreadable = fieldsOf(pair, undefined, [...new Set(needed)]);
	const texts = [...different, ...unreadable].map((field) => {
		const unit = field === 'landArea' && booking.areaType ? ` ${asText(booking.areaType)}` : '';
		return isEmpty(booking[field])
			? `it shows no ${labelOf(field)}`
			: `its ${labelOf(field)} is ${formatValue(booking[field])}${unit}`;
	});
	return listOf(texts);
}

/** How to decide whether a booking is that of the row. */
function howToDecide({ row, booking, rival }: Pair): string {
	const place = row.columns
		? `the column "${row.columns.get('bookingID') ?? 'bookingID'}"`
		: 'the field Booking ID';
	const write = `write ${asText(booking.bookingID)} into ${place}`;
	if (rival)
		return `${write} of the row it belongs to; if to neither, ${aloneWith(row, 'If Already Booked', 'Create Anyway')}`;
	return `if it is the same job, ${write}; if not, ${aloneWith(row, 'If Possible Duplicate', 'Book Anyway')}`;
}

/** What is found of a row by the booking that is paired with it; undefined if it is to be booked. */
function matchPair(pair: Pair): FinishedRow | undefined {
	const { row, booking } = pair;
	const { ifAlreadyBooked, ifPossibleDuplicate } = row.settings;
	const doubt = doubtOf(pair);
	if (doubt && ifPossibleDuplicate === 'book') return undefined;
	const { bookingID, bookingStatus } = booking;
	// Perhaps only this process knows of it: what it made counts for a while, see `isYoung()`.
	const status =
		bookingStatus === undefined
			? 'status not shown; if the service does not have it in 15 minutes, run the row again'
			: statusLabel(bookingStatus);
	const same = `same ${labelsOf(fieldsOf(pair, true, MATCH_FIELDS))} as booking ${asText(bookingID)} (${status})`;
	if (doubt && ifPossibleDuplicate === 'review') {
		const problem = `may be booked already: ${same}, but ${doubt}`;
		return rejectedFor(row, 'row', undefined, problem, howToDecide(pair), 'possible duplicate');
	}
	const reason = `${same}${doubt ? `, but ${doubt}` : ''}`;
	return ifAlreadyBooked === 'fail'
		? asDuplicate(row, `is booked already: ${reason}`)
		: finished(row, { result: 'already booked', booking, reason });
}

/** The row as an error, since it is not to be booked twice. */
function asDuplicate(row: OpenRow, problem: string): FinishedRow {
	const fix = 'remove the row, or set If Already Booked to Skip or Create Anyway';
	return rejectedFor(row, 'row', undefined, problem, fix);
}

/** What is found of a row that repeats another, by what was found of that. */
function matchRepeated(row: OpenRow, found: Row): FinishedRow {
	const { failure, result, booking, reason } = found.kind === 'finished' ? found : {};
	if (failure) return rejected(row, failure, result);
	const repeated = repeating(row, found);
	if (row.settings.ifAlreadyBooked === 'fail')
		return asDuplicate(row, `has the ${repeated.reason}`);
	return booking
		? { ...repeated, booking, reason: `equal to ${rowsIn([found])}: ${reason}` }
		: repeated;
}

/** The row as one that has what the earlier row gets. */
function repeating(row: OpenRow, earlier: SheetRow): FinishedRow {
	const reason = `same ${labelsOf(row.settings.matchFields)} as ${rowsIn([earlier])}`;
	return finished(row, { result: 'already booked', earlier, reason });
}

/** What is found of a row that has no booking, but may be an earlier one again. */
function matchLookalike(row: OpenRow, earlier: SheetRow): FinishedRow | undefined {
	const { ifPossibleDuplicate } = row.settings;
	if (ifPossibleDuplicate === 'book') return undefined;
	if (ifPossibleDuplicate === 'skip') return repeating(row, earlier);
	const problem = `may be ${rowsIn([earlier])} again: they differ only in what is not compared, or is empty in one`;
	const fix = `if it is another job, fill in the empty cell, map the column that tells the two apart, or ${aloneWith(row, 'If Already Booked', 'Create Anyway')}; if not, remove it`;
	return rejectedFor(row, 'row', undefined, problem, fix, 'possible duplicate');
}

/** The row as one whose Row ID was booked before, with its booking if that is known. */
function bookedBefore(row: OpenRow, pair: Pair | undefined): FinishedRow {
	const booking = pair && !pair.rival ? pair.booking : undefined;
	const which = booking
		? `as booking ${asText(booking.bookingID)} (${statusLabel(booking.bookingStatus)})`
		: 'and the list does not show which booking it is; to book it again, give it a new Row ID';
	const reason = `Row ID "${row.rowId}" was booked before, ${which}`;
	return row.settings.ifAlreadyBooked === 'fail'
		? asDuplicate(row, `is booked already: ${reason}`)
		: finished(row, { result: 'already booked', booking, reason });
}

/** What is found of a row that is equal to one that was booked with another Row ID. */
function matchCopy(row: OpenRow): FinishedRow | undefined {
	const { ifPossibleDuplicate } = row.settings;
	if (!isCompared(row) || ifPossibleDuplicate === 'book') return undefined;
	const problem = `may be booked already: an equal row was booked with another Row ID than "${row.rowId}"`;
	if (ifPossibleDuplicate === 'skip')
		return finished(row, { result: 'already booked', reason: problem });
	const fix = `if it is the same request, give it its old Row ID; if not, ${aloneWith(row, 'If Possible Duplicate', 'Book Anyway')}`;
	return rejectedFor(row, 'row', undefined, problem, fix, 'possible duplicate');
}

/** The bookings that rows have, or may have. @param identified the rows that name theirs: these are no other row's */
async function pairsOf(
	rows: readonly OpenRow[],
	identified: readonly FinishedRow[],
	existing: ExistingBookings,
	rowIds: RowIds,
): Promise<ReadonlyMap<OpenRow, Pair>> {
	const ownedIds = new Set(identified.map(({ booking }) => asText(booking?.bookingID)));
	const counts = ({ row, booking }: Pair) =>
		!ownedIds.has(asText(booking.bookingID)) &&
		(rowIds.isBooked(row) ||
			// The booking of one Row ID is not that of another one.
			((row.rowId === undefined || !rowIds.hasRowId(booking)) &&
				!row.settings.ignoredStatuses.has(statusCode(booking.bookingStatus))));
	const candidates = await inTurns(rows, (row) =>
		candidatesFor(row, existing, { isBooked: rowIds.isBooked(row) }).filter(counts),
	);
	return await pairRows(candidates.flat(), ownedIds.size > 0);
}

/** The rows with the number that the name of their service has, as far as it is known: so rows and bookings are compared. */
export async function withServiceNumbers(
	rows: readonly Row[],
	existing: ExistingBookings | undefined,
): Promise<Row[]> {
	return await inTurns(rows, (row) => {
		if (row.kind === 'finished' && !isValid(row)) return row;
		return existing?.withServiceNumber(row) ?? row;
	});
}

/**
 * Second stage: finds the rows that are booked already, and those that repeat an earlier row. One booking stands for one
 * row, so that the members of a household with one phone, and two jobs of a farmer on a day, are told apart. Only then is a
 * service date in the past an issue.
 *
 * @param existing undefined if no row is to be compared
 * @returns one row for each of those given, in the same order; those that name their booking, or are rejected, as they were
 */
export async function matchRows(
	rows: readonly Row[],
	existing: ExistingBookings | undefined,
	rowIds: RowIds,
): Promise<Row[]> {
	const compared = rows.filter((row) => row.kind !== 'finished').filter(isCompared);
	const identified = rows.filter((row) => row.kind === 'finished').filter(({ booking }) => booking);
	const repeated = await repeatedRows([...identified.filter(isValid), ...compared]);
	const once = compared.filter((row) => !repeated.get(row)?.isSame);
	const pairs = existing ? await pairsOf(once, identified, existing, rowIds) : undefined;
	const rejectRowId = await rowIds.reject(rows.filter((row) => row.kind !== 'finished'));
	const found = new Map<SheetRow, Row>(identified.map((row) => [row, row]));
	return await inTurns(rows, (row) => {
		if (row.kind === 'finished') return row;
		const { earlier, isSame } = repeated.get(row) ?? {};
		const foundOfEarlier = isSame && earlier ? found.get(earlier) : undefined;
		const pair = pairs?.get(row);
		const byRowId =
			rejectRowId(row) ??
			(rowIds.isBooked(row) ? bookedBefore(row, pair) : undefined) ??
			(rowIds.isCopy(row) && !ignoredBookingsOf(row, existing) ? matchCopy(row) : undefined);
		const result = foundOfEarlier
			? matchRepeated(row, foundOfEarlier)
			: (byRowId ??
				(pair && matchPair(pair)) ??
				(earlier ? matchLookalike(row, earlier) : undefined) ??
				(row.pastDate ? rejected(row, [row.pastDate]) : row));
		found.set(row, result);
		return result;
	});
}
