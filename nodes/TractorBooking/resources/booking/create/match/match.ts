import { statusCode, statusLabel } from '../../../../api/status';
import { formatValue } from '../../../../parse/issue';
import { listOf } from '../../../../parse/labels';
import { labelOf, labelsOf } from '../fields';
import { groupBy } from '../../../../utils/groupBy';
import { asText, isEmpty } from '../../../../utils/text';
import { numberOfService, type ExistingBookings } from './existingBookings';
import type { MatchField } from './likeness';
import { DOUBT_FIELDS } from './likeness';
import type { Pair } from './pairs';
import { candidatesFor, jobOfRow, pairRows } from './pairs';
import type { RecordReader } from './recordFormat';
import type { FinishedRow, OpenRow, ParsedRow, Row, SheetRow } from '../row';
import { finished, isCompared, issueIn, rejected, rejectedFor } from '../row';
import { differingBeside, fieldsOfOne, firstOfEqual } from './rowKey';

/** A row that names its booking, and that is valid otherwise. */
type ValidRow = FinishedRow & Pick<OpenRow, 'request'>;

function isValid(row: FinishedRow): row is ValidRow {
	return row.request !== undefined;
}

/** The row as an error, since it is not to be booked twice. */
function asDuplicate(row: OpenRow, problem: string): FinishedRow {
	const fix = 'remove the row, or set If Already Booked to Skip or Create Anyway';
	return rejectedFor(row, 'row', undefined, problem, fix);
}

/** How to decide by an option for one row: for a sheet, options hold for all of its rows. */
function aloneWith({ columns }: SheetRow, option: string, value: string): string {
	return `${columns ? `run this row alone with ${option} set` : `set ${option}`} to ${value}`;
}

/** Rejects a row that lacks a value in one of its match fields, unless it is booked anyway. */
export function checkMatchFields(row: ParsedRow): ParsedRow | FinishedRow {
	const job = jobOfRow(row);
	const empty = row.settings.matchFields.filter((field) => job[field] === undefined);
	if (!isCompared(row) || empty.length === 0) return row;
	const problem = 'is empty, so the node cannot check whether the row is booked already';
	const fix = `fill it in, or ${aloneWith(row, 'If Already Booked', 'Create Anyway')}`;
	const issues = empty.map((field) => issueIn(row, field, undefined, problem, fix));
	return rejected(row, row.pastDate ? [...issues, row.pastDate] : issues);
}

/** The row as one that may be booked already. @param how how to decide */
function asPossibleDuplicate(row: OpenRow, problem: string, how: string): FinishedRow {
	return rejectedFor(row, 'row', undefined, problem, how, 'possible duplicate');
}

/** What is unclear about the match fields of a booking that cannot be compared. */
function uncertaintyOf({ row, booking, job, alike }: Pair): string {
	const fields = row.settings.matchFields.filter((field) => alike[field] === undefined);
	const texts = fields.map((field) => {
		if (isEmpty(booking[field])) return `it has no ${labelOf(field)}`;
		const value = `its ${labelOf(field)} ${formatValue(booking[field])}`;
		const otherDay = field === 'serviceDate' ? job.otherDay?.day : undefined;
		return `${value} ${otherDay ? `may be ${job.serviceDate} or ${otherDay}` : 'cannot be read'}`;
	});
	return texts.join(' and ');
}

/** The doubt fields in which a booking differs from its row. */
const differing = ({ alike }: Pair) => DOUBT_FIELDS.filter((field) => alike[field] === false);

/** Why a booking may not be that of the row that is paired with it; undefined if it is. */
export function doubtOf(pair: Pair): string | undefined {
	const { row, booking, job, kind, alike, rivals } = pair;
	if (kind === 'possible') return uncertaintyOf(pair);
	if (kind === 'changed') {
		if (alike.serviceDate === false) return `it is on ${job.serviceDate}: was it moved?`;
		const other = alike.isSlip
			? `name ${formatValue(booking.farmerName)}`
			: `phone ${job.farmerPhone}`;
		return `it has the ${other}: was it corrected since?`;
	}
	if (rivals.length > 0) {
		const numbers = rivals.map(({ sheetRow }) => sheetRow).join(', ');
		return `nothing tells whether it is this row or row ${numbers}`;
	}
	const texts = differing(pair).map(
		(field) =>
			`${labelOf(field)} ${formatValue(booking[field])} instead of ${formatValue(row.request[field] ?? row.serviceName)}`,
	);
	return texts.length > 0 ? texts.join(' and ') : undefined;
}

/** How to decide whether a booking is that of the row. */
function howToDecide(pair: Pair): string {
	const { row, booking, kind, rivals } = pair;
	const place = row.columns
		? `the column "${row.columns.get('bookingID') ?? 'bookingID'}"`
		: 'the field Booking ID';
	const write = `write ${asText(booking.bookingID)} into ${place}`;
	// Alone, the row would have no rivals, and be booked already.
	if (rivals.length > 0)
		return `${write} of the row that it belongs to; if to none, ${aloneWith(row, 'If Already Booked', 'Create Anyway')}`;
	const [field] = kind === 'equal' ? differing(pair) : [];
	const advice =
		field === 'farmerName'
			? ', or add Farmer Name to Match Fields if farmers share a phone'
			: ', or add Service Type to Match Fields if a farmer may have several jobs a day';
	return `if it is the same job, ${write}; if not, ${aloneWith(row, 'If Possible Duplicate', 'Book Anyway')}${field ? advice : ''}`;
}

/** What is found of a row by the booking that is paired with it; undefined if it is to be booked. */
function matchPair(
	pair: Pair,
	isSomeBooked: boolean,
	notCompared: (pair: Pair) => string,
): FinishedRow | undefined {
	const { row, booking, kind, alike, isLikely } = pair;
	const { matchFields, ifAlreadyBooked, ifPossibleDuplicate } = row.settings;
	const isOtherJob = differing(pair).includes('serviceType');
	// The same farmer on another day is another job, unless other rows are booked, or it is likely for itself.
	if (kind === 'changed' && (isOtherJob || !(isSomeBooked || isLikely))) return undefined;
	const doubt = doubtOf(pair);
	if (doubt && ifPossibleDuplicate === 'book') return undefined;
	const fields = new Set([...matchFields, ...DOUBT_FIELDS]);
	const equal = labelsOf([...fields].filter((field) => alike[field]));
	const same = `same ${equal} as ${nameOf(pair)}${doubt ? `, but ${doubt}` : ''}`;
	if (doubt && ifPossibleDuplicate === 'review')
		return asPossibleDuplicate(row, `may be booked already: ${same}`, howToDecide(pair));
	const reason = `${same}${otherValues(pair)}${notCompared(pair)}`;
	return ifAlreadyBooked === 'fail'
		? asDuplicate(row, `is booked already: ${reason}`)
		: finished(row, { result: 'already booked', booking, reason });
}

function nameOf({ booking: { bookingID, bookingStatus }, isAsMade }: Pair): string {
	// Perhaps only this process knows of it: what it made counts for a while, see `isYoung()`.
	const status =
		bookingStatus === undefined
			? 'status not shown; if the service does not have it in 15 minutes, run the row again'
			: statusLabel(bookingStatus);
	const name = `booking ${asText(bookingID)} (${status})`;
	return isAsMade ? `${name}, as it was before it was changed` : name;
}

/** What of a row is not as in its booking, though that makes no doubt: it may have been changed on either side. */
function otherValues({ row, job }: Pair): string {
	const own = jobOfRow(row);
	return (['landArea', 'tractorId'] as const)
		.filter((field) => own[field] !== undefined && job[field] !== undefined)
		.filter((field) => own[field] !== job[field])
		.map((field) => `; it has ${labelOf(field)} ${job[field]} instead of ${own[field]}`)
		.join('');
}

/** Says which fields of a row were not compared; those that never can be with this service are named once. */
function uncomparedFields({ comparable }: RecordReader): (pair: Pair) => string {
	const named = new Set<MatchField>();
	return ({ row, alike }) => {
		const job = jobOfRow(row);
		const fields = [...new Set([...row.settings.matchFields, ...DOUBT_FIELDS])].filter(
			(field) => job[field] !== undefined && alike[field] === undefined && !named.has(field),
		);
		for (const field of fields.filter((never) => !comparable.has(never))) named.add(field);
		return fields.length > 0 ? `; not compared: ${labelsOf(fields)}` : '';
	};
}

/** What is found of a row that repeats another, by what was found of that. */
function matchRepeated(row: OpenRow, found: Row): FinishedRow {
	const { failure, result, booking, reason } = found.kind === 'finished' ? found : {};
	if (failure) return rejected(row, failure, result);
	const repeated = repeating(row, found);
	if (row.settings.ifAlreadyBooked === 'fail')
		return asDuplicate(row, `has the ${repeated.reason}`);
	return booking
		? { ...repeated, booking, reason: `equal to row ${found.sheetRow}: ${reason}` }
		: repeated;
}

/** The row as one that has what the earlier row gets. */
function repeating(row: OpenRow, earlier: SheetRow): FinishedRow {
	const reason = `same ${labelsOf(row.settings.matchFields)} as row ${earlier.sheetRow}`;
	return finished(row, { result: 'already booked', earlier, reason });
}

/** What is found of a row that has no booking, but is equal to an earlier one in all that is compared. */
function matchLookalike(row: OpenRow, earlier: OpenRow | ValidRow): FinishedRow | undefined {
	const { ifPossibleDuplicate } = row.settings;
	if (ifPossibleDuplicate === 'book') return undefined;
	if (ifPossibleDuplicate === 'skip') return repeating(row, earlier);
	const columns = differingBeside(row, earlier).map(formatValue);
	const fields = fieldsOfOne(row, earlier).filter((field) => field !== 'areaType');
	const [how, what] =
		columns.length > 0
			? [
					`differ only in ${listOf(columns)}, which is not compared`,
					'map the column under Options > Column Mapping',
				]
			: [`are equal, but only one has ${labelsOf(fields)}`, 'fill it in'];
	const problem = `may be row ${earlier.sheetRow} again: they ${how}`;
	const fix = `if it is another job, ${what}, or ${aloneWith(row, 'If Already Booked', 'Create Anyway')}; if not, remove it`;
	return asPossibleDuplicate(row, problem, fix);
}

/**
 * Rows with bookings of other rows that may as well be theirs, since it is in doubt whether they are those of the
 * others. A booking of which it is only in doubt which of several rows has it is no other row's.
 */
function unsettledPairs(candidates: readonly Pair[], pairs: readonly Pair[]): Pair[] {
	const doubted = new Map(
		pairs
			.filter((pair) => doubtOf({ ...pair, rivals: [] }))
			.map((pair) => [pair.booking, pair.row]),
	);
	const unsettled = candidates.flatMap((pair) => {
		const other = doubted.get(pair.booking);
		return other && other !== pair.row ? [{ ...pair, rivals: [other] }] : [];
	});
	return unsettled.sort((a, b) => b.fit - a.fit);
}

/**
 * Finds the bookings that rows have, or may have.
 *
 * @param identified the rows that name their bookings: these are no other row's
 * @returns what is found of a row; undefined if it is to be booked
 * @throws ServiceError (`unreadable`)
 */
function bookingFinder(
	rows: readonly OpenRow[],
	identified: readonly FinishedRow[],
	existing: ExistingBookings,
): (row: OpenRow) => FinishedRow | undefined {
	const named = new Set(identified.map(({ booking }) => asText(booking?.bookingID)));
	const counts = ({ row, booking }: Pair) =>
		!named.has(asText(booking.bookingID)) &&
		!row.settings.ignoredStatuses.has(statusCode(booking.bookingStatus));
	const candidates = rows.flatMap((row) => candidatesFor(row, existing).filter(counts));
	const pairOf = pairRows(candidates);
	const pairs = [...pairOf.values()];
	const pairsOf = groupBy([...pairs, ...unsettledPairs(candidates, pairs)], ({ row }) => row);
	const isSomeBooked = named.size > 0 || pairs.some(({ kind }) => kind === 'equal');
	const notCompared = uncomparedFields(existing.reader);
	return (row) => {
		for (const pair of pairsOf.get(row) ?? []) {
			const found = matchPair(pair, isSomeBooked, notCompared);
			if (found) return found;
		}
		return undefined;
	};
}

/** The rows with the numbers that the names of their services seem to have. */
function withServiceNumbers(rows: readonly Row[], existing: ExistingBookings): Row[] {
	return rows.map((row) => {
		const { serviceName: name, request } = row;
		if (name === undefined) return row;
		return { ...row, serviceNumber: numberOfService(name, [request?.tractorId], existing) };
	});
}

/**
 * Second stage: finds the rows that are booked already, and those that repeat an earlier row. A number of bookings
 * with one match key stands for as many rows at most, so that the members of a household with one phone, and two jobs
 * of a farmer on a day, are told apart. Only then is a service date in the past an issue.
 *
 * @param existing undefined if no row is to be compared
 * @returns one row for each of those given, in the same order; those that name their booking, or are rejected, as they were
 * @throws ServiceError (`unreadable`) if the bookings cannot be compared in the match fields
 */
export function matchRows(given: readonly Row[], existing: ExistingBookings | undefined): Row[] {
	const rows = existing ? withServiceNumbers(given, existing) : given;
	const compared = rows.filter((row) => row.kind !== 'finished').filter(isCompared);
	const identified = rows.filter((row) => row.kind === 'finished').filter(({ booking }) => booking);
	const all = [...identified.filter(isValid), ...compared];
	const firstOf = firstOfEqual(all);
	const lookalikes = firstOfEqual(all, true);
	const firstRows = compared.filter((row) => firstOf.get(row) === row);
	const findBooking = existing ? bookingFinder(firstRows, identified, existing) : () => undefined;
	const found = new Map<SheetRow, Row>(identified.map((row) => [row, row]));
	return rows.map((row) => {
		if (row.kind === 'finished') return row;
		const first = firstOf.get(row);
		const foundOfFirst = first && found.get(first);
		const lookalike = lookalikes.get(row);
		const result = foundOfFirst
			? matchRepeated(row, foundOfFirst)
			: (findBooking(row) ??
				(lookalike && lookalike !== row ? matchLookalike(row, lookalike) : undefined) ??
				(row.pastDate ? rejected(row, [row.pastDate]) : row));
		found.set(row, result);
		return result;
	});
}
