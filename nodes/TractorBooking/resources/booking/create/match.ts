import { statusCode, statusLabel } from '../../../api/status';
import { formatValue } from '../../../parse/issue';
import { labelOf, labelsOf, listOf } from '../../../parse/labels';
import { asText, isEmpty } from '../../../utils/text';
import type { ExistingBookings } from './existingBookings';
import type { MatchField } from './likeness';
import { comparableDoubts, DOUBT_FIELDS } from './likeness';
import type { Pair } from './pairs';
import { candidatesFor, jobOfRow, pairRows } from './pairs';
import type { RecordReader } from './recordFormat';
import { differingBeside, firstOfEqual } from './rowKey';
import type { FinishedRow, OpenRow, ParsedRow, SheetRow } from './row';
import { finished, isCompared, issueIn, rejected, rejectedFor } from './row';

/** A row that names its booking, and that is valid otherwise. */
type ValidRow = FinishedRow & Pick<OpenRow, 'request'>;

type MatchedRow = OpenRow | FinishedRow;

function isValid(row: FinishedRow): row is ValidRow {
	return row.request !== undefined;
}

function asDuplicate(row: OpenRow, problem: string): FinishedRow {
	const fix = 'remove the row, or set If Already Booked to Skip or Create Anyway';
	return rejectedFor(row, 'row', undefined, problem, fix);
}

/** How to decide by an option for one row: for a sheet, options hold for all of its rows. */
function aloneWith({ columns }: SheetRow, option: string, value: string): string {
	return columns
		? `run this row alone with ${option} set to ${value}`
		: `set ${option} to ${value}`;
}

/** Rejects a row that lacks a value in one of its match fields, unless it is booked anyway. */
export function checkKey(row: ParsedRow): ParsedRow | FinishedRow {
	const job = jobOfRow(row);
	const empty = row.settings.matchFields.filter((field) => job[field] === undefined);
	if (!isCompared(row) || empty.length === 0) return row;
	const problem = 'is empty, so the node cannot check whether the row is booked already';
	const fix = `fill it in, choose other Match Fields, or ${aloneWith(row, 'If Already Booked', 'Create Anyway')}`;
	const issues = empty.map((field) => issueIn(row, field, undefined, problem, fix));
	return rejected(row, row.pastDate ? [...issues, row.pastDate] : issues);
}

/** Why a booking may not be that of a row that is paired with it, as `row` and `booking` show it. */
interface Doubt {
	text: string;
	/** How to tell the row from the booking if they are different jobs. */
	advice?: string;
}

function asPossibleDuplicate(row: OpenRow, id: string, text: string, advice = ''): FinishedRow {
	const column = row.columns?.get('bookingID') ?? 'bookingID';
	const place = row.columns ? `the column "${column}" of the row` : 'the field Booking ID';
	const fix = `if it is the same job, write ${id} into ${place}; if not, ${aloneWith(row, 'If Possible Duplicate', 'Book Anyway')}${advice && `, or ${advice}`}`;
	return inDoubt(row, `may be booked already: ${text}`, fix);
}

function inDoubt(row: OpenRow, problem: string, fix: string): FinishedRow {
	return rejectedFor(row, 'row', undefined, problem, fix, 'possible duplicate');
}

/** What is unclear about the match fields of a booking that cannot be compared. */
function uncertaintyOf({ row, booking, job, alike }: Pair): string {
	const fields = row.settings.matchFields.filter((field) => alike[field] === undefined);
	const texts = fields.map((field) => {
		if (isEmpty(booking[field])) return `it has no ${labelOf(field)}`;
		const value = `its ${labelOf(field)} ${formatValue(booking[field])}`;
		const isEitherDay = field === 'serviceDate' && job.otherDay;
		return `${value} ${isEitherDay ? `may be ${job.serviceDate} or ${job.otherDay}` : 'cannot be read'}`;
	});
	return texts.join(' and ');
}

/** Compares rows with bookings. */
export class Comparison {
	/** The booking that each row has, or may have. */
	readonly pairs: ReadonlyMap<OpenRow, Pair>;

	/** The fields beside the match fields in which the bookings of this service can be compared. */
	private readonly comparable: readonly MatchField[];

	private readonly isSomeBooked: boolean;

	/** Fields of which a reason has said that the bookings of this service cannot be compared in them. */
	private readonly told = new Set<string>();

	/** @param candidates as `candidatesFor` gives them */
	constructor(
		private readonly reader: RecordReader,
		candidates: readonly Pair[],
		isSomeBooked = false,
	) {
		this.pairs = pairRows(candidates);
		const equal = [...this.pairs.values()].filter(({ kind }) => kind === 'equal');
		this.comparable = comparableDoubts(equal.map(({ alike }) => alike));
		this.isSomeBooked = isSomeBooked || equal.length > 0;
	}

	/** What is found of a row that repeats no other; undefined if it is to be booked. */
	match(row: OpenRow): MatchedRow | undefined {
		const { ifPossibleDuplicate } = row.settings;
		const pair = this.pairs.get(row);
		if (pair && (pair.kind !== 'changed' || this.mayBeChanged(pair))) {
			const doubt = this.doubtOf(pair);
			const isSkipped = !doubt || ifPossibleDuplicate === 'skip';
			if (isSkipped) return this.asBooked(pair, doubt);
			const text = `${nameOf(pair)} has the same ${this.sameOf(pair)}, but ${doubt.text}`;
			const { bookingID } = pair.booking;
			if (ifPossibleDuplicate === 'review')
				return asPossibleDuplicate(row, asText(bookingID), text, doubt.advice);
		}
		return undefined;
	}

	/**
	 * Whether a booking may be that of a row but for its day or phone: only if other rows are booked already, or the answer
	 * for it was lost.
	 */
	private mayBeChanged({ alike, isOfLost }: Pair): boolean {
		const isOtherJob = alike.serviceType === false && this.comparable.includes('serviceType');
		return (this.isSomeBooked || isOfLost) && !isOtherJob;
	}

	/** Why the booking may not be that of the row; undefined if it is. */
	doubtOf(pair: Pair): Doubt | undefined {
		const { row, booking, job, kind, alike, rivals } = pair;
		if (kind === 'possible') return { text: uncertaintyOf(pair) };
		if (kind === 'changed')
			return alike.serviceDate === false
				? { text: `is on ${job.serviceDate}: was it moved?` }
				: { text: `has the phone ${job.farmerPhone}: was it corrected since?` };
		if (rivals.length > 0) {
			const numbers = rivals.map(({ sheetRow }) => sheetRow).join(', ');
			return { text: `nothing tells whether it is this row or row ${numbers}` };
		}
		const differing = this.comparable.filter((field) => alike[field] === false);
		if (differing.length === 0) return undefined;
		const texts = differing.map(
			(field) =>
				`${labelOf(field)} ${formatValue(booking[field])} instead of ${formatValue(row.request[field] ?? row.serviceName)}`,
		);
		const advice = differing.includes('farmerName')
			? 'add Farmer Name to Match Fields if farmers share a phone'
			: 'add Service Type to Match Fields if a farmer may have several jobs a day';
		return { text: texts.join(' and '), advice };
	}

	/** The fields that row and booking have the same, as words. */
	private sameOf({ row, alike }: Pair): string {
		const fields = new Set([...row.settings.matchFields, ...this.comparable]);
		return labelsOf([...fields].filter((field) => alike[field]));
	}

	private asBooked(pair: Pair, doubt?: Doubt): MatchedRow {
		const { row, booking } = pair;
		const end = `${doubt ? `, but ${doubt.text}` : ''}${otherValues(pair)}${this.notCompared(pair)}`;
		const [name, same] = [nameOf(pair), this.sameOf(pair)];
		if (row.settings.ifAlreadyBooked === 'fail')
			return asDuplicate(row, `is booked already: ${name} has the same ${same}${end}`);
		const reason = `same ${same} as ${name}${end}`;
		return finished(row, { result: 'already booked', booking, reason });
	}

	/** The fields of a row that were not compared; those that never can be with this service are named once. */
	private notCompared({ row, alike }: Pair): string {
		const { matchFields } = row.settings;
		const job = jobOfRow(row);
		const isNever = (field: MatchField) =>
			matchFields.includes(field) ? !this.reader.compares(field) : !this.comparable.includes(field);
		const fields = [...new Set([...matchFields, ...DOUBT_FIELDS])]
			.filter((field) => job[field] !== undefined)
			.filter((field) => isNever(field) || alike[field] === undefined)
			.filter((field) => !this.told.has(field));
		for (const field of fields.filter(isNever)) this.told.add(field);
		return fields.length > 0 ? `; not compared: ${labelsOf(fields)}` : '';
	}
}

function nameOf({ booking: { bookingID, bookingStatus }, isAsMade }: Pair): string {
	const name = `booking ${asText(bookingID)} (${statusLabel(bookingStatus)})`;
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

/** What is found of a row that repeats another, by what was found of that. */
function matchRepeated(row: OpenRow, found: MatchedRow): MatchedRow {
	const { result = undefined, failure = undefined } = found.kind === 'finished' ? found : {};
	if (failure) return rejected(row, failure, result);
	const { ifAlreadyBooked, matchFields } = row.settings;
	const same = `the same ${labelsOf(matchFields)} as row ${found.sheetRow}`;
	if (ifAlreadyBooked === 'fail') return asDuplicate(row, `has ${same}`);
	if (found.kind !== 'finished' || !found.booking) return repeating(row, found);
	const { booking } = found;
	const reason = `equal to row ${found.sheetRow}: ${found.reason}`;
	return finished(row, { result: 'already booked', booking, reason });
}

/** The row as one that has what the earlier row gets. */
function repeating(row: OpenRow, earlier: SheetRow): FinishedRow {
	const reason = `same ${labelsOf(row.settings.matchFields)} as row ${earlier.sheetRow}`;
	return finished(row, { result: 'already booked', earlier, reason });
}

/** What is found of a row that has no booking, but is equal to an earlier one in all that is compared. */
function matchLookalike(row: OpenRow, earlier: OpenRow | ValidRow): MatchedRow | undefined {
	const { ifPossibleDuplicate } = row.settings;
	if (ifPossibleDuplicate === 'book') return undefined;
	if (ifPossibleDuplicate === 'skip') return repeating(row, earlier);
	const columns = listOf(differingBeside(row, earlier).map(formatValue));
	const problem = `may be row ${earlier.sheetRow} again: they differ only in ${columns}, which is not compared`;
	const fix = `if it is another job, map the column under Options > Column Mapping, or ${aloneWith(row, 'If Already Booked', 'Create Anyway')}; if not, remove it`;
	return inDoubt(row, problem, fix);
}

/**
 * Second stage: finds the rows that are booked already, and those that repeat an earlier row. A number of bookings
 * with one match key stands for as many rows at most, so that the members of a household with one phone, and two jobs
 * of a farmer on a day, are told apart. Only then is a service date in the past an issue.
 *
 * @param existing undefined if no row is to be compared
 * @param identified the rows that name their booking
 * @returns one row for each of `rows`, in the same order
 * @throws ServiceError (`unreadable`) if the bookings cannot be compared in the match fields
 */
export function matchRows(
	rows: readonly OpenRow[],
	existing: ExistingBookings | undefined,
	identified: readonly FinishedRow[],
): MatchedRow[] {
	const compared = rows.filter(isCompared);
	const all = [...identified.filter(isValid), ...compared];
	const firstOf = firstOfEqual(all);
	const lookalikes = firstOfEqual(all, true);
	const firstRows = compared.filter((row) => firstOf.get(row) === row);
	// A booking that a row names is no other row's.
	const taken = new Set(identified.map(({ booking }) => asText(booking?.bookingID)));
	const counts = ({ row, booking }: Pair) =>
		!taken.has(asText(booking.bookingID)) &&
		!row.settings.unbookedStatuses.has(statusCode(booking.bookingStatus));
	const candidates = firstRows.flatMap((row) =>
		existing ? candidatesFor(row, existing).filter(counts) : [],
	);
	const comparison = existing && new Comparison(existing.reader, candidates, taken.size > 0);
	const found = new Map<SheetRow, MatchedRow>(identified.map((row) => [row, row]));
	return rows.map((row) => {
		const first = firstOf.get(row);
		const foundOfFirst = first && found.get(first);
		const unbooked = row.pastDate ? rejected(row, [row.pastDate]) : row;
		const lookalike = lookalikes.get(row);
		const result = foundOfFirst
			? matchRepeated(row, foundOfFirst)
			: (comparison?.match(row) ??
				(lookalike && lookalike !== row ? matchLookalike(row, lookalike) : undefined) ??
				unbooked);
		found.set(row, result);
		return result;
	});
}
