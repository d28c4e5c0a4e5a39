import { listOf } from '../../../../nodes/TractorBooking/parse/issue';
import { groupBy } from '../../../../nodes/TractorBooking/utils/groupBy';
import { capitalized } from '../../../../nodes/TractorBooking/utils/text';
import { count, part, scroll, show, table } from '../../html';
import { clean } from '../../label';
import { columnsChosen, decidingColumn } from './answers';
import { short } from './form';
import { bothOf, JOB, type Shown } from './outcomes';
import { cellText } from './savedSheet';
import type { Mode, State, Summary } from './step';

/** The rows by what becomes of them. @param problem what is wrong with all of them */
export function groupsOf(all: readonly Shown[], problem: string) {
	const rows = all.filter(({ isRequest }) => isRequest);
	const having = (...some: Array<Shown['result']>) =>
		rows.filter(({ result }) => some.includes(result));
	const wrong = having('to fix', 'possible duplicate', 'failed');
	const held = having('not sent');
	const heldFor = problem ? [[problem, held] as const] : [...groupBy(held, bothOf)];
	const already = having('already booked');
	return {
		rows,
		already,
		/** Those of them with nothing left to do. */
		before: already.filter(({ isOpen }) => !isOpen),
		toLookAt: rows.filter((one) => wrong.includes(one) || one.isOpen),
		toBook: having('would create'),
		booked: having('created'),
		unknown: having('unknown'),
		leftOut: having('left out'),
		/** Why no row can be booked. */
		stop: heldFor[0]?.[0] ?? '',
		/** Each reason for which rows were held back, with these. */
		heldFor,
		noRequests: all.filter(({ isRequest }) => !isRequest),
	};
}

export type Groups = ReturnType<typeof groupsOf>;

/** Why rows were left out, each with how many: `Status is Pending (3)`. */
export function whyLeftOut(leftOut: readonly Shown[]): string {
	const reasons = [...groupBy(leftOut, ({ leftFor }) => leftFor)];
	const sorted = reasons.sort(([, one], [, other]) => other.length - one.length);
	return sorted.map(([reason, { length }]) => `${reason} (${length})`).join(', ');
}

function jobs(rows: readonly Shown[]): string {
	const lines = rows.map(({ job }) => job);
	return scroll(table(JOB, lines));
}

export const list = (texts: readonly string[]) =>
	`<ul>${texts.map((text) => `<li>${show(text)}</li>`).join('')}</ul>`;

function stopParts({ heldFor }: Groups): string[] {
	return heldFor.map(([reason, rows]) => {
		const why = `<p><b>${show(reason).replace(/&#10;/g, '<br>')}</b></p>`;
		return rows.length > 0 ? `${why}<p>Not booked for this reason:</p>${jobs(rows)}` : why;
	});
}

function unknownPart({ unknown }: Groups): string {
	const parts = [...groupBy(unknown, bothOf)].map(
		([reason, rows]) => `${jobs(rows)}<p>${show(reason)}</p>`,
	);
	return part(`${count(unknown.length, 'row')} to upload again later`, ...parts);
}

function toLookAtPart({ toLookAt }: Groups): string {
	const heads = ['Row', 'Farmer', 'Result', 'Why', 'What to do'];
	const lines = toLookAt.map((one) => [one.number, one.farmer, one.result, one.reason, one.toDo]);
	const fix =
		'<p>Correct the rows with errors in your sheet. Delete lines that are not requests, such as totals and signatures. A merged cell counts for its first row only. Then upload the whole sheet again: rows already booked are skipped, and you can change a wrong answer.</p>';
	const isWrong = ({ result }: Shown) =>
		result !== 'already booked' && result !== 'possible duplicate';
	const title = `${count(toLookAt.length, 'row')} to look at`;
	return part(title, `<span>${table(heads, lines)}</span>`, toLookAt.some(isWrong) ? fix : '');
}

function beforePart({ before }: Groups): string {
	const heads = ['Row', 'Farmer', 'Booking', 'Status'];
	const lines = before.map(({ number, farmer, bookingID, status }) => {
		return [number, farmer, bookingID, status];
	});
	return part(`${count(before.length, 'row')} booked already`, scroll(table(heads, lines)));
}

/** Lines below the list, such as a sum. */
function noRequestsPart({ noRequests }: Groups): string {
	const lines = noRequests.map(({ number, row }) => {
		const cells = Object.entries(row).filter(([name]) => name !== 'row_number');
		const [, first] = cells.find(([, cell]) => clean(cell) !== '') ?? [];
		return `${number} (${short(first)})`;
	});
	const are = noRequests.length === 1 ? 'line is not a request' : 'lines are not requests';
	return part(`${noRequests.length} ${are}`, `<p>${show(lines.join(', '))}</p>`);
}

/** What becomes of the rows. */
export function outcomeParts(groups: Groups, isPreview: boolean, contact: string): string[] {
	const { rows, toLookAt, leftOut, booked, toBook, stop } = groups;
	const parts = stopParts(groups);
	if (groups.unknown.length > 0) parts.push(unknownPart(groups));
	const areAllSaid = stop !== '' && toLookAt.length === rows.length - leftOut.length;
	if (toLookAt.length > 0 && !areAllSaid) parts.push(toLookAtPart(groups));
	// What came of these, nobody sees in the form: somebody has to look it up.
	const isOfService =
		groups.unknown.length > 0 || toLookAt.some(({ result }) => result === 'failed');
	if (stop !== '' || isOfService)
		parts.push(`<p>If you cannot put this right, show this page to ${show(contact)}.</p>`);
	if (toBook.length > 0)
		parts.push(part(`${count(toBook.length, 'row')} can be booked`, jobs(toBook)));
	// The preview says so at its top.
	if (leftOut.length > 0 && !isPreview) {
		const title = `${count(leftOut.length, 'row')} left out`;
		const why = capitalized(whyLeftOut(leftOut));
		parts.push(part(title, `<p>${show(why)}. They stay in the sheet.</p>`));
	}
	if (booked.length > 0) {
		const lines = booked.map(({ bookingID, job }) => [...job, bookingID]);
		const title = `${count(booked.length, 'row')} booked now`;
		parts.push(part(title, scroll(table([...JOB, 'Booking'], lines))));
	}
	if (groups.before.length > 0) parts.push(beforePart(groups));
	if (groups.noRequests.length > 0) parts.push(noRequestsPart(groups));
	return parts;
}

/** The columns that are not read, with their values in rows that will be booked: a row to look at may lack one of them. */
function unreadColumns(
	{ rows, toBook, toLookAt }: Groups,
	state: State,
	columns: Summary['columns'],
) {
	const read = [decidingColumn(state.answers), ...columns.map(({ column }) => column)];
	const names = toBook.length + toLookAt.length > 0 ? state.ignored : [];
	return names
		.filter((name) => !read.includes(name))
		.map((name) => {
			const cells = toBook
				.map(({ row, number }) => ({ value: cellText(name, row[name]), number }))
				.filter(({ value }) => value !== '');
			// A remark, which few rows have, may be a reason not to book.
			const { length } = rows.filter(({ row }) => clean(row[name]) !== '');
			const areFew = length < rows.length && (length < 5 || length * 4 < rows.length);
			const isRemark = cells.length > 0 && areFew;
			const own = isRemark
				? cells.map(({ value, number }) => `row ${number}: ${short(value)}`)
				: [...new Set(cells.map(({ value }) => short(value)))];
			const some = own.slice(0, 4).join(', ');
			const text = own.length === 0 ? name : `${name} (${some}${own.length > 4 ? ' …' : ''})`;
			return { text, isRemark };
		});
}

const LEAVE_OUT = 'To leave rows out, delete them in Excel, and upload the sheet again.';

/** What a tab of a workbook looks like in Excel. */
export interface Looks {
	tab: string;
	/** The numbers of rows that it does not show, and of those that it shows struck through. */
	hidden: number[];
	struck: number[];
	/** Its cells that are merged over several rows. */
	merged: string[];
}

/** What is said of rows that will be booked, although they look in Excel as if they should not. @param look `hidden` */
function unlikelyIn({ toBook }: Groups, look: string, numbers: readonly number[]): string[] {
	const rows = toBook.map(({ number }) => number).filter((number) => numbers.includes(number));
	const said = `${count(rows.length, `${look} row`)} will be booked, too (${listOf(rows.map(String))}).`;
	return rows.length > 0 ? [`${said} ${LEAVE_OUT}`] : [];
}

export function remarksOn({ hidden, struck, merged }: Looks, groups: Groups): string[] {
	const ofMerged = `Merged cells (${listOf(merged)}) count for their first row only. If each row is to have their value, unmerge them, fill them in, and upload the sheet again.`;
	return [
		...unlikelyIn(groups, 'hidden', hidden),
		...unlikelyIn(groups, 'struck-through', struck),
		...(merged.length > 0 ? [ofMerged] : []),
	];
}

/** What is said of remarks in rows that will be booked: they are not read, and may be reasons not to. */
export function remarksIn(groups: Groups, state: State, columns: Summary['columns']): string[] {
	const remarks = unreadColumns(groups, state, columns).filter(({ isRemark }) => isRemark);
	const said = `Not read: ${remarks.map(({ text }) => text).join('; ')}.`;
	return remarks.length > 0 ? [`${said} ${LEAVE_OUT}`] : [];
}

/** What holds for the whole list: the answers, whoever gave them, and how the columns are read. */
export function readingParts(
	groups: Groups,
	state: State,
	columns: Summary['columns'],
	ofRows: ReadonlyArray<{ text: string }>,
): string[] {
	const { answers } = state;
	const read = Object.values(answers.said ?? {});
	if (ofRows.length > 0) read.push(capitalized(ofRows.map(({ text }) => text).join(', ')));
	const chosen = columnsChosen(answers).map(([, column]) => column);
	const bare = (heading: string) => heading.toLowerCase().replace(/\s/g, '');
	const renamed = columns.filter(
		({ column, field }) => bare(column) !== bare(field) && !chosen.includes(column),
	);
	if (renamed.length > 0)
		read.push(renamed.map(({ column, field }) => `${field} is in ${column}`).join(', '));
	const parts = read.length > 0 ? [part('How the sheet is read', list(read))] : [];
	const unread = unreadColumns(groups, state, columns).filter(({ isRemark }) => !isRemark);
	if (unread.length > 0)
		parts.push(part('Not read', `<p>${show(unread.map(({ text }) => text).join(', '))}</p>`));
	return parts;
}

export function titleOf(groups: Groups, mode: Mode): string {
	const { rows, toBook, booked, unknown, already, before, toLookAt, leftOut, stop } = groups;
	const all = count(rows.length, 'row');
	const are = ({ length }: readonly Shown[], one: string, several: string) =>
		`${length} of ${all} ${length === 1 ? one : several}`;
	if (mode !== 'book' && unknown.length > 0) {
		const isOpen = toBook.length > 0 && mode !== 'over';
		const known = isOpen ? `${toBook.length} of ${all} can be` : are(already, 'is', 'are');
		return `${known} booked, ${unknown.length} may have been sent a few minutes ago`;
	}
	if (mode === 'over' && toBook.length > 0) return 'Nothing was booked';
	if (toBook.length > 0) return `${toBook.length} of ${all} can be booked`;
	if (booked.length > 0)
		return [
			`${are(booked, 'is', 'are')} booked now`,
			...(unknown.length > 0 ? [`${unknown.length} may be`] : []),
			...(before.length > 0 ? [`${before.length} booked already`] : []),
		].join(', ');
	if (unknown.length > 0) return `${unknown.length} of ${all} may be booked`;
	if (already.length > 0 && !stop) {
		const more = toLookAt.length > 0 ? `. Look at ${count(toLookAt.length, 'row')}` : '';
		return `${are(already, 'was', 'were')} already booked${more}`;
	}
	return leftOut.length === rows.length ? 'No row is left to book' : 'Nothing was booked';
}
