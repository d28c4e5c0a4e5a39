import { isFinal, isGivenUp, statusCode, statusLabel } from '../../../../api/status';
import { formatValue, listOf } from '../../../../parse/issue';
import { asText, isEmpty } from '../../../../utils/text';
import { inTurns } from '../../../../utils/turns';
import type { BookedRows } from '../claims/bookedRows';
import { labelOf, labelsOf } from '../fields';
import type { FinishedRow, OpenRow, ParsedRow, ReadyRow, Row, SheetRow } from '../row';
import {
	CHOOSE_STATUS,
	finished,
	isCompared,
	issueIn,
	rejected,
	rejectedFor,
	rowsIn,
} from '../row';
import type { ExistingBookings } from './existingBookings';
import {
	isOtherJob,
	JOB_FIELDS,
	jobOfBooking,
	jobOfRow,
	MATCH_FIELDS,
	notCompared,
	type Likeness,
} from './likeness';
import { warnOfOtherJobs } from './otherJobs';
import { candidatesFor, ignoredBookingsOf, pairRows, type Pair } from './pairs';
import { repeatedRows, type Repeated } from './typedRow';

/** A row that names its booking, and that is valid otherwise. */
type ValidRow = FinishedRow & Pick<OpenRow, 'request'>;

function isValid(row: FinishedRow): row is ValidRow {
	return row.request !== undefined;
}

/** How to decide by an option for one row: for a sheet, options hold for all of its rows. */
function aloneWith({ columns }: SheetRow, option: string, value: string): string {
	return `${columns ? `run this row alone with ${option} set` : `set ${option}`} to ${value}`;
}

/** Where the number of its booking is written. */
function placeOfId({ columns }: SheetRow): string {
	return columns
		? `the column "${columns.get('bookingID') ?? 'bookingID'}"`
		: 'the field Booking ID';
}

/** The fields in which a row and a booking are known to differ. */
const differencesIn = (alike: Likeness) => MATCH_FIELDS.filter((field) => alike[field] === false);

/** Rejects a row that lacks a value in one of its match fields, unless it is booked anyway. */
export function checkMatchFields(row: ParsedRow): ParsedRow | FinishedRow {
	const job = jobOfRow(row);
	const empty = row.settings.matchFields.filter((field) => job[field] === undefined);
	if (!isCompared(row) || empty.length === 0) return row;
	const problem = 'is empty, so the node cannot check whether the row is booked already';
	const fix = `fill it in, choose other Match Fields, or ${aloneWith(row, 'If Already Booked', 'Create Anyway')}`;
	const issues = empty.map((field) => issueIn(row, field, undefined, problem, fix));
	return rejected(row, row.pastDate ? [...issues, row.pastDate] : issues);
}

/** The row as one that is booked already, which the settings may make an error. */
function alreadyBooked(
	row: OpenRow,
	reason: string,
	found: Pick<FinishedRow, 'booking' | 'earlier'> = {},
): FinishedRow {
	if (row.settings.ifAlreadyBooked !== 'fail')
		return finished(row, { result: 'already booked', reason, ...found });
	const fix = 'remove the row, or set If Already Booked to Skip or Create Anyway';
	return rejectedFor(row, 'row', undefined, `is booked already: ${reason}`, fix);
}

/** The row as one that may be booked already; undefined if it is to be booked anyway. */
function possibleDuplicate(
	row: OpenRow,
	reason: string,
	fix: string,
	found?: Pick<FinishedRow, 'booking' | 'earlier'>,
): FinishedRow | undefined {
	const { ifPossibleDuplicate } = row.settings;
	if (ifPossibleDuplicate === 'book') return undefined;
	if (ifPossibleDuplicate === 'skip') return alreadyBooked(row, reason, found);
	const problem = `may be booked already: ${reason}`;
	return rejectedFor(row, 'row', undefined, problem, fix, 'possible duplicate');
}

/** Why a booking may not be that of the row that is paired with it; undefined if it is. */
export function doubtOf({
	row,
	booking,
	kind,
	alike,
	contradicted,
	rival,
}: Pair): string | undefined {
	if (rival) return `it could be that of ${rowsIn([rival])}`;
	if (kind === 'equal') return undefined;
	const own = jobOfRow(row);
	const needed = [...row.settings.matchFields, ...JOB_FIELDS].filter((field) => own[field]);
	const different = differencesIn(alike);
	const unreadable = needed.filter((field) => alike[field] === undefined);
	const texts = [...new Set([...different, ...unreadable])].map((field) => {
		if (isEmpty(booking[field])) return `it shows no ${labelOf(field)}`;
		const unit = field === 'landArea' && booking.areaType ? ` ${asText(booking.areaType)}` : '';
		const value = `${formatValue(booking[field])}${unit}`;
		const isOther = alike[field] === false;
		return `its ${labelOf(field)} ${isOther ? 'is' : 'may differ:'} ${value}`;
	});
	if (contradicted.length > 0) texts.push(`it has another ${labelsOf(contradicted)}`);
	return listOf(texts);
}

/** What is found of a row by the booking that is paired with it; undefined if it is to be booked. */
function matchPair(pair: Pair): FinishedRow | undefined {
	const { row, booking, alike, rival, others } = pair;
	const bookingID = asText(booking.bookingID);
	// Perhaps only this process knows of it: what it made counts for a while, see `isYoung()`.
	const status =
		booking.bookingStatus === undefined
			? 'status not shown; if the service does not have it in 15 minutes, run the row again'
			: statusLabel(booking.bookingStatus);
	const equal = labelsOf(MATCH_FIELDS.filter((field) => alike[field]));
	const different = differencesIn(alike);
	const same = `same ${equal} as booking ${bookingID} (${status})`;
	const doubt = doubtOf(pair);
	const unseen = notCompared(jobOfRow(row), alike);
	const other = unseen.length > 0 ? `; not compared: ${labelsOf(unseen)}` : '';
	const changed = different.length > 0 ? `; it has another ${labelsOf(different)} now` : '';
	const again = isGivenUp(booking.bookingStatus) ? `; to book the row again, ${CHOOSE_STATUS}` : '';
	if (!doubt) return alreadyBooked(row, same + changed + other + again, { booking });
	const place = placeOfId(row);
	const anyway = aloneWith(row, 'If Possible Duplicate', 'Book Anyway');
	const fix = rival
		? `write ${bookingID} into ${place} of the row it belongs to; if to neither, ${aloneWith(row, 'If Already Booked', 'Create Anyway')}`
		: others.length > 0
			? `if one of these is the same job, write its ID into ${place}; if none is, ${anyway}`
			: `if it is the same job, write ${bookingID} into ${place}; if not, ${anyway}`;
	const ids = others.map((other) => asText(other.bookingID));
	const or = ids.length > 0 ? `; or it is booking ${listOf(ids, 'or')}` : '';
	return possibleDuplicate(row, `${same}, but ${doubt}${or}`, fix, { booking });
}

/** What is found of a row that repeats another, by what was found of that. */
function matchRepeated(row: OpenRow, found: Row): FinishedRow {
	const { failure, result, booking, reason } = found.kind === 'finished' ? found : {};
	if (failure) return rejected(row, failure, result);
	const same = `same ${labelsOf(row.settings.matchFields)} as ${rowsIn([found])}`;
	const why = booking ? `equal to ${rowsIn([found])}: ${reason}` : same;
	return alreadyBooked(row, why, { booking, earlier: found });
}

/** What is found of a row that has no booking, but may be an earlier one again. */
function matchLookalike(row: OpenRow, earlier: SheetRow): FinishedRow | undefined {
	const reason = `it may be ${rowsIn([earlier])} again, as they differ only in what is not compared, or is empty in one`;
	// Once one of the two is booked, no cell tells whose booking it is.
	const byCells = row.settings.dryRun
		? 'fill in the empty cell, map the column that tells the two apart, or '
		: '';
	const fix = `if it is another job, ${byCells}${aloneWith(row, 'If Already Booked', 'Create Anyway')}; if not, remove it`;
	return possibleDuplicate(row, reason, fix, { earlier });
}

/** Whether a row has a booking that is open, and to come. */
function isToCome(pair: Pair | undefined): boolean {
	if (!pair || isFinal(pair.booking.bookingStatus)) return false;
	const { timezone, today } = pair.row.settings.rules;
	const { serviceDate = today } = jobOfBooking(pair.booking, timezone);
	return serviceDate >= today;
}

/** What is found of a row by its Row ID; undefined if that was not booked before. */
function matchRowId(
	row: OpenRow,
	bookedRows: BookedRows,
	pair: Pair | undefined,
	existing: ExistingBookings | undefined,
): FinishedRow | undefined {
	if (bookedRows.isBooked(row)) {
		const own = pair && !pair.rival ? pair : undefined;
		if (!bookedRows.isOfDay(row) && !own?.alike.serviceDate && !isToCome(own)) {
			const fix =
				'give a new request a new Row ID; if the day was changed, write the old one, or remove the row';
			return rejectedFor(row, 'Row ID', row.rowId, 'was booked for another day', fix);
		}
		const { bookingID, bookingStatus } = own?.booking ?? {};
		const different = own ? differencesIn(own.alike) : [];
		const reason = [
			own
				? `Row ID "${row.rowId}" was booked before, as booking ${asText(bookingID)} (${statusLabel(bookingStatus)})`
				: `Row ID "${row.rowId}" was booked before`,
			...(own || !existing ? [] : ['its booking is not in the list, or another row names it']),
			...(different.length > 0 ? [`that has another ${labelsOf(different)}`] : []),
			...(own && !isGivenUp(bookingStatus) ? [] : ['to book the row again, give it a new Row ID']),
		];
		return alreadyBooked(row, reason.join('; '), { booking: own?.booking });
	}
	if (!bookedRows.hasTwin(row) || !isCompared(row)) return undefined;
	if (ignoredBookingsOf(row, existing)) return undefined;
	const reason = `an equal row was booked with another Row ID than "${row.rowId}"`;
	const fix = `if it is the same request, give it its old Row ID; if not, ${aloneWith(row, 'If Possible Duplicate', 'Book Anyway')}`;
	return possibleDuplicate(row, reason, fix);
}

/** The row as one that n8n remembers as booked, though the list does not show its booking; undefined if it is to be booked anyway. */
export function unlisted(row: ReadyRow): FinishedRow | undefined {
	const reason =
		'n8n remembers that it booked this row, but its booking is not in the list, or another row names it';
	const fix = `if its work is done, remove the row; if it is booked, write the ID of its booking into ${placeOfId(row)}; if not, ${aloneWith(row, 'If Possible Duplicate', 'Book Anyway')}`;
	return possibleDuplicate(row, reason, fix);
}

/** The bookings that rows have, or may have. @param identified the rows that name theirs: these are no other row's */
async function pairsOf(
	rows: readonly OpenRow[],
	identified: readonly FinishedRow[],
	existing: ExistingBookings,
	bookedRows: BookedRows,
	repeated: ReadonlyMap<SheetRow, Repeated<SheetRow>>,
): Promise<ReadonlyMap<OpenRow, Pair>> {
	const ownedIds = new Set(identified.map(({ booking }) => asText(booking?.bookingID)));
	const counts = ({ row, booking }: Pair) =>
		!ownedIds.has(asText(booking.bookingID)) &&
		(bookedRows.isBooked(row) ||
			// The booking of one Row ID is not that of another one.
			((row.rowId === undefined || !bookedRows.hasRowId(booking)) &&
				!row.settings.ignoredStatuses.has(statusCode(booking.bookingStatus))));
	const candidates = await inTurns(rows, (row) =>
		candidatesFor(row, existing, bookedRows.beforehandOf(row)).filter(counts),
	);
	return pairRows(candidates.flat(), ownedIds.size > 0, repeated);
}

/** The rows with the number that the name of their service has, as far as it is known: so rows and bookings are compared. */
export async function withServiceNumbers(
	rows: readonly Row[],
	existing: ExistingBookings | undefined,
): Promise<Row[]> {
	return await inTurns(rows, (row) => {
		if (!existing || (row.kind === 'finished' && !isValid(row))) return row;
		return existing.withServiceNumber(row);
	});
}

/**
 * Second stage: finds the rows that are booked already, and those that repeat an earlier row. Each booking is that of one
 * row, so that the members of a household with one phone, and two jobs of a farmer on a day, are told apart. Only then is a
 * service date in the past an issue.
 *
 * @param existing undefined if no row is to be compared
 * @param warn receives what the user has to look at, though it stops nothing
 * @returns one row for each of those given, in the same order; those that name their booking, or are rejected, as they were
 */
export async function matchRows(
	rows: readonly Row[],
	existing: ExistingBookings | undefined,
	bookedRows: BookedRows,
	warn: (text: string) => void,
): Promise<Row[]> {
	const open = rows.filter((row) => row.kind !== 'finished');
	const compared = open.filter(isCompared);
	const identified = rows.filter((row) => row.kind === 'finished').filter(({ booking }) => booking);
	const repeated = await repeatedRows([...identified.filter(isValid), ...compared]);
	const once = compared.filter((row) => !repeated.get(row)?.isSame);
	const pairs = existing && (await pairsOf(once, identified, existing, bookedRows, repeated));
	const rejectRowId = bookedRows.rejectOthers(open);
	const found = new Map<SheetRow, Row>(identified.map((row) => [row, row]));
	const otherJobs: OpenRow[] = [];
	const matched = await inTurns(rows, (row) => {
		if (row.kind === 'finished') return row;
		const { earlier, isSame } = repeated.get(row) ?? {};
		const foundOfEarlier = isSame && earlier ? found.get(earlier) : undefined;
		const pair = pairs?.get(row);
		const result = foundOfEarlier
			? matchRepeated(row, foundOfEarlier)
			: (rejectRowId(row) ??
				matchRowId(row, bookedRows, pair, existing) ??
				(pair && matchPair(pair)) ??
				(earlier && matchLookalike(row, earlier)) ??
				(row.pastDate ? rejected(row, [row.pastDate]) : row));
		if (pair && !pair.rival && bookedRows.isBooked(row) && isOtherJob(pair.alike))
			otherJobs.push(row);
		found.set(row, result);
		return result;
	});
	warnOfOtherJobs(otherJobs, 'give them new Row IDs', warn);
	return matched;
}
