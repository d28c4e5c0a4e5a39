import { distance } from 'fastest-levenshtein';

import { phoneTail } from '../../../../parse/phones';
import { asText, wordIn, wordsOf } from '../../../../utils/text';
import { inTurns } from '../../../../utils/turns';
import type { Row } from '../row/row';
import { compareJobs, SHOWN_FIELDS } from '../row/job';

/** What tells two jobs apart, beside their service. */
const TOLD_BY = [...SHOWN_FIELDS, 'landArea', 'plot'] as const;

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
	// A slip may change the order of the words.
	const isNear = (word: string) => right.some((their) => areNearWords(word, their));
	return left.length === right.length && left.every(isNear);
}

/** The service of a row as it is meant: the words of its name, and its number. */
function serviceOf({ job, serviceName, settings }: Row) {
	const meant = serviceName && (settings.serviceNames.get(wordIn(serviceName)) ?? serviceName);
	const words = wordsOf(meant ?? asText(job.serviceType));
	const isNumber = (word: string) => /^\d+$/.test(word);
	const name = words.filter((word) => !isNumber(word)).join(' ');
	return { name, number: words.filter(isNumber).join(' ') };
}

/** Whether two services are known to differ: `3` may be Ploughing. */
function areOther(one: Row, other: Row): boolean {
	const [own, theirs] = [serviceOf(one), serviceOf(other)];
	const differ = (text: string, their: string) => text !== '' && their !== '' && text !== their;
	return differ(own.name, theirs.name) || differ(own.number, theirs.number);
}

/** Whether two rows with the same phone and day may be one job: nothing tells them apart, or only how a name is spelt. */
function areAlike(row: Row, other: Row): boolean {
	const { different } = compareJobs(row.job, other.job, TOLD_BY);
	if (areOther(row, other) || different.some((field) => field !== 'farmerName')) return false;
	return (
		different.length === 0 || areNearNames(row.job.farmerName ?? '', other.job.farmerName ?? '')
	);
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
	// A sheet has thousands of rows: only those of one day and phone are compared; without a phone, of one name.
	const groups = new Map<string, Row[]>();
	await inTurns(rows, (row) => {
		const { farmerPhone, farmerName, serviceDate } = row.job;
		const farmerDay = [farmerPhone ? phoneTail(farmerPhone) : farmerName, serviceDate].join();
		const group = groups.get(farmerDay) ?? [];
		const alike = group.find((other) => areAlike(row, other) && !isOther(row, other));
		if (alike) repeats.set(row, alike);
		group.push(row);
		groups.set(farmerDay, group);
	});
	return repeats;
}
