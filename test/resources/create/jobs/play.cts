import type { IDataObject, INodeParameters } from 'n8n-workflow';

import { asText } from '../../../../nodes/TractorBooking/utils/text';
import { hintsOf } from '../../../support/action.cts';
import { bookSheet, outcomeOf } from '../../../support/bookings.cts';
import { processedData } from '../../../support/engine.cts';
import { LateService } from '../../../support/lateService.cts';
import { wait } from '../../../support/virtualClock.cts';
import { Worker } from '../../../support/worker.cts';
import type { FORMS } from './forms.cts';
import { JOB, type KEYS, type Story } from './stories.cts';

/** What became of a job in the end. */
export type Fate = 'once' | 'asked' | 'doubled' | 'swallowed';

/** One way to play a story. */
export interface Play {
	form: (typeof FORMS)[number];
	/** Whether n8n restarts between the runs, or another worker has the next one. */
	restarts: boolean;
	key: (typeof KEYS)[number];
}

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

/** A sheet with its numbers, as it is when it runs. @param ids the bookings of the runs before, by job and by line */
function asRun(
	sheet: readonly IDataObject[],
	{ leavesNumbers, numbersLines, hasBothIds, denies = {} }: Story,
	key: Play['key'],
	ids: ReadonlyMap<unknown, unknown>,
): IDataObject[] {
	const hasRowIds = key === 'Row ID';
	const hasBookingIds = key === 'Booking ID' || (hasRowIds && hasBothIds);
	const answerOf = (job: string) => {
		const denied = ids.get(denies[job]);
		return denied === undefined ? '' : `not ${asText(denied)}`;
	};
	return sheet.map((cells, at) => {
		const job = asText(cells[JOB]);
		const id = hasBookingIds ? ids.get(leavesNumbers ? at : job) : undefined;
		return {
			row_number: at + 2,
			...cells,
			...(hasRowIds && { 'Request No': numbersLines ? at + 1 : cells[JOB] }),
			...((hasBookingIds || job in denies) && { 'Booking ID': id ?? answerOf(job) }),
		};
	});
}

/** Plays a story at a service that knows which job each row is. @returns what became of each job */
export async function play(story: Story, way: Play): Promise<Map<string, Fate>> {
	const service = Object.assign(new LateService(), way.form.service);
	processedData.clear();
	const ids = new Map<unknown, unknown>();
	const results = new Map<string, string[]>();
	const warnedOf = new Set<string>();
	let worker = new Worker(service);

	/** Runs the node over rows; the output of each, in order, and whether the run warns of it. None if n8n dies. */
	async function run(rows: IDataObject[], fields: INodeParameters = {}) {
		const rowId = way.key === 'Row ID' && { rowIdColumn: 'Request No' };
		const options = { ...AS_WRITTEN, ...rowId };
		const settings = { timezone: way.form.timezone, ...worker.settings };
		const parameters = { phoneCountry: 'NG', ...fields, options };
		const running = outcomeOf(bookSheet, service, rows, parameters, settings);
		const result = await Promise.race([running, worker.death]);
		if (!result) return [];
		if (result.error) throw result.error;
		const numbers = rowsWarnedOf(hintsOf(result));
		return result.records.map((json) => {
			return { json, isWarnedOf: numbers.includes(Number(json.row_number)) };
		});
	}

	service.listedAfterMs = (story.listedAfter ?? 0) * MINUTE_MS;
	const { fate } = story;
	if (fate) service.fate = (_, count) => fate(count, () => worker.kill());
	for (const [index, sheet] of story.sheets.entries()) {
		const rows = asRun(sheet, story, way.key, ids);
		if (story.death?.run === index) worker.diesAt = worker.steps + story.death.step;
		for (let previews = index === 0 ? (story.previews ?? 0) : 0; previews > 0; previews--)
			await run(rows, { dryRun: true });
		results.clear();
		warnedOf.clear();
		for (const part of story.isOneByOne ? rows.map((cells) => [cells]) : [rows]) {
			for (const { json, isWarnedOf } of await run(part)) {
				const job = asText(json[JOB]);
				if (json.bookingID)
					ids.set(job, json.bookingID).set(Number(json.row_number) - 2, json.bookingID);
				results.set(job, [...(results.get(job) ?? []), asText(json.result)]);
				if (isWarnedOf) warnedOf.add(job);
			}
		}
		if (index === 0) {
			service.fate = () => 'booked';
			story.meanwhile?.(service);
			if (story.forgets) processedData.clear();
		}
		if (way.restarts || story.forgets || worker.isDead) worker = new Worker(service);
		// It dies in no later run.
		worker.diesAt = Infinity;
		await wait((story.minutes?.[index] ?? 0) * MINUTE_MS);
	}

	const jobs = [...new Set(story.sheets.flat().map((cells) => asText(cells[JOB])))];
	const timesBooked = (job: string) =>
		service.bookings.filter(({ farmNote }) => farmNote === job).length;
	const fateOf = (job: string): Fate => {
		if (timesBooked(job) > 1) return 'doubled';
		const isSettled = (results.get(job) ?? []).every((result) =>
			/^(?:created|already booked)$/.test(result),
		);
		if (!isSettled) return 'asked';
		if (timesBooked(job) === 1) return 'once';
		// A run may skip a job that is not booked, if it names the row.
		return warnedOf.has(job) ? 'asked' : 'swallowed';
	};
	return new Map(jobs.map((job) => [job, fateOf(job)]));
}
