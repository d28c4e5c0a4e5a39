import type { IDataObject, INodeParameters } from 'n8n-workflow';

import { asText } from '../../../../nodes/TractorBooking/utils/text';
import { hintsOf, stopOf } from '../../../support/action.cts';
import { bookSheet, outcomeOf } from '../../../support/bookings.cts';
import { processedData } from '../../../support/engine.cts';
import { LateService } from '../../../support/lateService.cts';
import { wait } from '../../../support/virtualClock.cts';
import { Worker } from '../../../support/worker.cts';
import type { FORMS } from './forms.cts';
import { answerAll, type Returned } from './operator.cts';
import { dayAfter, JOB, type KEYS, type Story } from './stories.cts';

/** What may become of a job in the end, the worst first. */
export const FATES = ['doubled', 'swallowed', 'asked', 'once'] as const;

export type Fate = (typeof FATES)[number];

export interface Play {
	form: (typeof FORMS)[number];
	/** Whether n8n restarts between the runs, or another worker has the next one. */
	restarts: boolean;
	key: (typeof KEYS)[number];
	/** With a person who does what the messages say, and runs the sheet again: what the node does on an error. */
	answers?: 'Continue' | 'Stop';
	ending?: 'the next month' | 'n8n forgets all';
}

/** After so many runs of a sheet that still asks, a person gives up. */
const MAX_ROUNDS = 6;

const IS_SETTLED = /^(?:created|would create|already booked)$/;

/** What a later run tells of. */
const IS_OPEN = /^(?:unknown|not sent|failed)$/;

/** What a person writes into a sheet, or leaves in it. */
const ANSWERS = ['bookingID', 'possibleBookingIDs'];
const OF_ROW = ['Plot', 'Request No'];

/** The sheets have no area, and a date under a heading that may mean another. */
const AS_WRITTEN: INodeParameters = {
	columnMapping: { columns: [{ column: 'Date', field: 'serviceDate' }] },
	notInSheet: ['landArea'],
	otherColumns: 'ignore',
};

const MINUTE_MS = 60_000;

/** The numbers of the rows of which a run says, above its output, that they are booked, and how the bookings differ. */
function rowsWarnedOf(hints: readonly string[]): number[] {
	const sentences = hints.flatMap((hint) => hint.replace(/ \([^)]*\)/g, '').split(/(?<=\.) /));
	return sentences
		.filter((sentence) => /\bbooked\b/i.test(sentence))
		.flatMap((sentence) => [...sentence.matchAll(/\brows? (\d+(?:(?:, | and )\d+)*)/gi)])
		.flatMap(([, rows = '']) => (rows.match(/\d+/g) ?? []).map(Number));
}

const pick = (cells: IDataObject = {}, columns: readonly string[]): IDataObject =>
	Object.fromEntries(columns.filter((one) => one in cells).map((one) => [one, cells[one]]));

/** What became of each job at first, or what is worse by now: later runs may book it again. */
const worseOf = (before: ReadonlyMap<string, Fate>, now: ReadonlyMap<string, Fate>) =>
	new Map(
		[...now].map(([job, fate]) => [job, fate === 'doubled' ? fate : (before.get(job) ?? fate)]),
	);

/** The sheet of the next month: the same farmers, a month later; whatever was written into it is still there. */
const nextMonth = (rows: readonly IDataObject[]): IDataObject[] =>
	rows.map((cells) => ({
		...cells,
		Date: dayAfter(cells.Date, 35),
		[JOB]: `${asText(cells[JOB])} next month`,
	}));

/** The row at which a run stops, and what is said of it. */
function ofStop(rows: readonly IDataObject[], stop: ReturnType<typeof stopOf>): Returned {
	const { said: reason, itemIndex } = stop;
	const possible = [...reason.matchAll(/\bbooking (\d+) \(/g)].map(([, id]) => id);
	const json = {
		...rows[Number(itemIndex)],
		...{ result: /may be booked already/.test(reason) ? 'possible duplicate' : 'unknown', reason },
		possibleBookingIDs: possible.join(', '),
	};
	return { json, isWarnedOf: false };
}

/** A run of a story counts as the worst that became of one of its jobs. */
export interface Run {
	story: Story;
	way: Play;
	fate: Fate;
}

export async function runOf(story: Story, way: Play): Promise<Run> {
	const fates = [...(await play(story, way)).values()];
	return { story, way, fate: FATES.find((one) => fates.includes(one)) ?? 'once' };
}

/** Plays a story at a service that knows which job each row is. @returns what became of each job */
export async function play(story: Story, way: Play): Promise<Map<string, Fate>> {
	const { key, answers, ending } = way;
	const service = Object.assign(new LateService(), way.form.service);
	processedData.clear();
	/** The bookings of the runs before, by job and by line. */
	const ids = new Map<unknown, IDataObject[string]>();
	/** What a person has written, and with the column Booking ID also what the node has, by job and by line. */
	const written = new Map<unknown, IDataObject>();
	const rowIds = new Map<string, IDataObject[string]>();
	const results = new Map<string, string[]>();
	const warnedOf = new Set<string>();
	let worker = new Worker(service);
	const bookingsOf = (job: string) => service.bookings.filter(({ farmNote }) => farmNote === job);
	const truth = { bookingsOf, rowIdOf: (job: string) => rowIds.get(job) };

	/** A sheet with its numbers, as it is when it runs. */
	function asRun(sheet: readonly IDataObject[]): IDataObject[] {
		const { leavesNumbers, numbersLines, hasBothIds, denies = {} } = story;
		const hasRowIds = key === 'Row ID';
		const hasBookingIds = key === 'Booking ID' || (hasRowIds && hasBothIds);
		const answerOf = (job: string) => {
			const denied = ids.get(denies[job]);
			return denied === undefined ? '' : `not ${asText(denied)}`;
		};
		return sheet.map((cells, at) => {
			const job = asText(cells[JOB]);
			const place = leavesNumbers ? at : job;
			const id = hasBookingIds ? ids.get(place) : undefined;
			const isAnswered = !answers && (hasBookingIds || job in denies);
			return {
				row_number: at + 2,
				...(hasRowIds && { 'Request No': numbersLines ? at + 1 : job.toLowerCase() }),
				...(answers && { bookingID: '', ...(hasBookingIds && { bookingID: id }) }),
				...pick(written.get(place), ANSWERS),
				...pick(written.get(job), OF_ROW.slice(0, numbersLines ? 1 : 2)),
				...cells,
				...(isAnswered && { 'Booking ID': id ?? answerOf(job) }),
			};
		});
	}

	/** Runs the node over rows; the output of each, in order, and whether the run warns of it. None if n8n dies. */
	async function run(rows: IDataObject[], fields: INodeParameters = {}): Promise<Returned[]> {
		const rowId = key === 'Row ID' && { rowIdColumn: 'Request No' };
		const options = { ...AS_WRITTEN, ...rowId };
		const onError = answers === 'Stop' ? 'stopWorkflow' : 'continueErrorOutput';
		const settings = { timezone: way.form.timezone, onError, ...worker.settings } as const;
		const parameters = { phoneCountry: 'NG', ...fields, options };
		const running = outcomeOf(bookSheet, service, rows, parameters, settings);
		const result = await Promise.race([running, worker.death]);
		if (!result) return [];
		if (result.error) {
			if (answers !== 'Stop') throw result.error;
			return [ofStop(rows, stopOf(result))];
		}
		const numbers = rowsWarnedOf(hintsOf(result));
		return result.records.map((json) => {
			return { json, isWarnedOf: numbers.includes(Number(json.row_number)) };
		});
	}

	/** Runs the sheet once. @returns what came of its rows; none if n8n dies, or the node stops */
	async function runOnce(rows: IDataObject[], fields: INodeParameters = {}): Promise<Returned[]> {
		results.clear();
		warnedOf.clear();
		const all: Returned[] = [];
		for (const part of story.isOneByOne ? rows.map((cells) => [cells]) : [rows]) {
			for (const one of await run(part, fields)) {
				const { json, isWarnedOf } = one;
				const job = asText(json[JOB]);
				if (json.bookingID)
					ids.set(job, json.bookingID).set(Number(json.row_number) - 2, json.bookingID);
				if (json.result === 'created') rowIds.set(job, json['Request No']);
				results.set(job, [...(results.get(job) ?? []), asText(json.result)]);
				if (isWarnedOf) warnedOf.add(job);
				all.push(one);
			}
		}
		return all;
	}

	/** The sheet with the columns of the node, if it is kept with them. */
	function asReturned(rows: IDataObject[], returned: readonly Returned[]): IDataObject[] {
		if (key !== 'Booking ID' && !story.hasBothIds) return rows;
		const ofRow = new Map(returned.map(({ json }) => [json.row_number, json] as const));
		return rows.map((cells) => {
			const { bookingID, possibleBookingIDs } = ofRow.get(cells.row_number) ?? cells;
			return { ...cells, bookingID, possibleBookingIDs };
		});
	}

	/** Runs the sheet, and again with what its messages ask for. @returns it as it is in the end */
	async function runAnswered(given: IDataObject[], rounds: number): Promise<IDataObject[]> {
		let rows = given;
		for (let round = 1; ; round++) {
			// Whoever lets the node stop on errors looks at a preview first, which shows all rows.
			const shown = answers === 'Stop' ? await runOnce(rows, { dryRun: true }) : undefined;
			const isRight = shown?.every(({ json }) => IS_SETTLED.test(asText(json.result))) ?? true;
			const hasAnswers = shown !== undefined && answerAll(rows, shown, truth) !== undefined;
			const returned = shown && (hasAnswers || !isRight) ? shown : await runOnce(rows);
			if (worker.isDead) return rows;
			rows = asReturned(rows, returned);
			if (round === rounds) return rows;
			const answered = answerAll(rows, returned, truth);
			const isOpen =
				returned.length < rows.length ||
				returned.some(({ json }) => IS_OPEN.test(asText(json.result)));
			if (!answered && !isOpen) return rows;
			if (isOpen) await wait(25 * MINUTE_MS);
			rows = (answered ?? rows).map((cells, at) => ({ ...cells, row_number: at + 2 }));
		}
	}

	async function playSheet(rows: IDataObject[], index: number): Promise<IDataObject[]> {
		if (!answers) return (await runOnce(rows), rows);
		const last = await runAnswered(rows, story.unanswered === index ? 1 : MAX_ROUNDS);
		last.forEach((cells, at) => {
			written.set(asText(cells[JOB]), cells).set(at, cells);
		});
		return last;
	}

	const fatesOf = (jobs: readonly string[]) => new Map(jobs.map((job) => [job, fateOf(job)]));
	const fateOf = (job: string): Fate => {
		const times = bookingsOf(job).length;
		if (times > 1) return 'doubled';
		const isSettled = (results.get(job) ?? []).every((result) =>
			/^(?:created|already booked)$/.test(result),
		);
		if (!isSettled) return 'asked';
		if (times === 1) return 'once';
		// A run may skip a job that is not booked, if it names the row.
		return warnedOf.has(job) ? 'asked' : 'swallowed';
	};

	service.listedAfterMs = (story.listedAfter ?? 0) * MINUTE_MS;
	const { fate } = story;
	if (fate) service.fate = (_, count) => fate(count, () => worker.kill());
	let last: IDataObject[] = [];
	for (const [index, sheet] of story.sheets.entries()) {
		const rows = asRun(sheet);
		if (story.death?.run === index) worker.diesAt = worker.steps + story.death.step;
		for (let previews = index === 0 ? (story.previews ?? 0) : 0; previews > 0; previews--)
			await run(rows, { dryRun: true });
		last = await playSheet(rows, index);
		if (index === 0) {
			service.fate = () => 'booked';
			story.meanwhile?.(service);
			if (story.forgets) processedData.clear();
		}
		if (index > 0) story.later?.(service);
		if (way.restarts || story.forgets || worker.isDead) worker = new Worker(service);
		// It dies in no later run.
		worker.diesAt = Infinity;
		await wait((story.minutes?.[index] ?? 0) * MINUTE_MS);
	}
	const jobs = [...new Set(story.sheets.flat().map((cells) => asText(cells[JOB])))];
	const fates = fatesOf(jobs);
	if (!ending) return fates;
	worker = new Worker(service);
	if (ending === 'n8n forgets all') {
		await wait(60 * MINUTE_MS);
		processedData.clear();
		await runAnswered(last, MAX_ROUNDS);
		return fatesOf(jobs);
	}
	service.bookings.forEach((booking, at) => {
		if (at % 3 > 0 && booking.bookingStatus !== 4) booking.bookingStatus = 3;
	});
	// No timer of Node waits for so long.
	jest.setSystemTime(Date.now() + 35 * 24 * 60 * MINUTE_MS);
	const next = nextMonth(last);
	await runAnswered(next, MAX_ROUNDS);
	const now = fatesOf([...jobs, ...new Set(next.map((cells) => asText(cells[JOB])))]);
	return worseOf(fates, now);
}
