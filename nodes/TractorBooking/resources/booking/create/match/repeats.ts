import { distance } from 'fastest-levenshtein';

import { phoneTail } from '../../../../parse/phones';
import { inTurns } from '../../../../utils/turns';
import type { Row } from '../row/row';
import { compareJobs, JOB_FIELDS, type Job } from '../row/job';

/** Whether two names may be one: one has all words of the other, or a slip of a letter or two. */
function areNearNames(one: string, other: string): boolean {
	const [own, theirs] = [one.split(' '), other.split(' ')];
	const left = own.filter((word) => !theirs.includes(word));
	const right = theirs.filter((word) => !own.includes(word));
	if (left.length === 0 || right.length === 0) return true;
	if (left.length !== right.length) return false;
	const slips = left.map((word, at) => {
		const their = right[at] ?? '';
		const letters = distance(word, their);
		return letters < Math.min(word.length, their.length) / 3 ? letters : 3;
	});
	return slips.reduce((sum, letters) => sum + letters, 0) <= 2;
}

/** Whether two rows with the same phone and day may be one job: nothing of it tells, or only a slip in the name. */
function areAlike(job: Job, other: Job): boolean {
	const { different } = compareJobs(job, other, JOB_FIELDS);
	if (different.length === 0) return true;
	if (different.some((field) => field !== 'farmerName')) return false;
	return areNearNames(job.farmerName ?? '', other.farmerName ?? '');
}

/**
 * The rows that may be an earlier one, each with that: of the same phone and day, where nothing of the job, or only a
 * slip in the name, tells them apart.
 *
 * @param isOther whether a row is known to be a different job from an earlier one
 */
export async function alikeRows(
	rows: readonly Row[],
	isOther: (row: Row, earlier: Row) => boolean,
): Promise<Map<Row, Row>> {
	const repeats = new Map<Row, Row>();
	// No two others are compared, since a sheet has thousands; of rows without a phone, those of one name.
	const groups = new Map<string, Row[]>();
	await inTurns(rows, (row) => {
		const { farmerPhone, farmerName, serviceDate } = row.job;
		const place = [farmerPhone ? phoneTail(farmerPhone) : farmerName, serviceDate].join();
		const group = groups.get(place) ?? [];
		const alike = group.find((other) => areAlike(row.job, other.job) && !isOther(row, other));
		if (alike) repeats.set(row, alike);
		group.push(row);
		groups.set(place, group);
	});
	return repeats;
}
