import { distance } from 'fastest-levenshtein';

import { wordsOfService } from '../../../../api/services';
import { phoneTail } from '../../../../parse/phones';
import { wordIn } from '../../../../utils/text';
import { inTurns } from '../../../../utils/turns';
import type { Row } from '../row/row';
import { compareJobs, JOB_FIELDS, type Job } from '../row/job';

/** Whether two words may be one: one begins with the other, or one or two letters differ, and more are the same. */
function areNearWords(one: string, other: string): boolean {
	const letters = distance(one, other);
	const isSlip = letters <= 2 && 2 * letters < Math.min(one.length, other.length);
	return isSlip || one.startsWith(other) || other.startsWith(one);
}

/** Whether two names may be one: one has all words of the other, or words that may be these. */
function areNearNames(one: string, other: string): boolean {
	const [own, theirs] = [one.split(' '), other.split(' ')];
	const left = own.filter((word) => !theirs.includes(word));
	const right = theirs.filter((word) => !own.includes(word));
	if (left.length === 0 || right.length === 0) return true;
	return (
		left.length === right.length && left.every((word, at) => areNearWords(word, right[at] ?? ''))
	);
}

/** The job of a row, with its service as it is meant. */
function jobAsMeant({ job, serviceName, settings }: Row): Job {
	if (serviceName === undefined) return job;
	const meant = settings.serviceNames.get(wordIn(serviceName)) ?? serviceName;
	return { ...job, serviceType: wordsOfService(meant) };
}

/** Whether two jobs with the same phone and day may be one: nothing of them tells, or only how a name is spelt. */
function areAlike(job: Job, other: Job): boolean {
	const { different } = compareJobs(job, other, JOB_FIELDS);
	if (different.length === 0) return true;
	if (different.some((field) => field !== 'farmerName')) return false;
	return areNearNames(job.farmerName ?? '', other.farmerName ?? '');
}

/**
 * The rows that may be an earlier one, each with that: of the same phone and day, where nothing of the job, or only how a
 * name is spelt, tells them apart.
 *
 * @param isOther whether a row is known to be a different job from an earlier one
 */
export async function alikeRows(
	rows: readonly Row[],
	isOther: (row: Row, earlier: Row) => boolean,
): Promise<Map<Row, Row>> {
	const repeats = new Map<Row, Row>();
	// No two others are compared, since a sheet has thousands; of rows without a phone, those of one name.
	const groups = new Map<string, Array<{ row: Row; job: Job }>>();
	await inTurns(rows, (row) => {
		const job = jobAsMeant(row);
		const { farmerPhone, farmerName, serviceDate } = job;
		const place = [farmerPhone ? phoneTail(farmerPhone) : farmerName, serviceDate].join();
		const group = groups.get(place) ?? [];
		const alike = group.find((other) => areAlike(job, other.job) && !isOther(row, other.row));
		if (alike) repeats.set(row, alike.row);
		group.push({ row, job });
		groups.set(place, group);
	});
	return repeats;
}
