import type { IDataObject, INodeParameters } from 'n8n-workflow';

import { forgetKeys } from '../../../../nodes/TractorBooking/api/limits';
import { asText } from '../../../../nodes/TractorBooking/utils/text';
import { hintsOf } from '../../../support/action';
import { bookSheet, outcomeOf } from '../../../support/bookings';
import { processedData } from '../../../support/engine';
import { LateService } from '../../../support/lateService';
import type { FORMS } from './forms';
import { JOB, type Story } from './stories';

/** What rows hold beside their cells: nothing, the number of their booking, or a number of their own. */
export const KEYS = ['no column of its own', 'Booking ID', 'Row ID'] as const;

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

/** The numbers of the rows that a run warns of: their bookings have another day, service or area. */
function rowsWarnedOf(hints: readonly string[]): number[] {
	const lists = hints.join('\n').matchAll(/^Already booked, but .*?: rows? ([\d, and]+)\./gm);
	return [...lists].flatMap(([, rows = '']) => (rows.match(/\d+/g) ?? []).map(Number));
}

/** Runs the node over rows; the output of each, in order, and whether the run warns of it. */
async function run(
	service: LateService,
	rows: IDataObject[],
	story: Story,
	{ form, key }: Play,
): Promise<Array<{ json: IDataObject; isWarnedOf: boolean }>> {
	const rowId = key === 'Row ID' && { rowIdColumn: 'Request No' };
	const options = { ...AS_WRITTEN, ...form.options, ...story.options, ...rowId };
	const { timezone } = form;
	const result = await outcomeOf(bookSheet, service, rows, { options }, { timezone });
	if (result.error) throw result.error;
	const warnedOf = rowsWarnedOf(hintsOf(result));
	return result.records.map((json) => {
		return { json, isWarnedOf: warnedOf.includes(Number(json.row_number)) };
	});
}

/** Plays a story at a service that knows which job each row is. @returns what became of each job */
export async function play(story: Story, way: Play): Promise<Map<string, Fate>> {
	const service = await LateService.start();
	Object.assign(service, way.form.service);
	forgetKeys();
	processedData.clear();
	const ids = new Map<unknown, unknown>();
	const results = new Map<string, string[]>();
	const warnedOf = new Set<string>();
	try {
		for (const [index, sheet] of story.sheets.entries()) {
			const rows = sheet.map((cells, at) => ({
				row_number: at + 2,
				...cells,
				...(way.key === 'Row ID' && { 'Request No': cells[JOB] }),
				...(way.key === 'Booking ID' && {
					'Booking ID': ids.get(story.leavesNumbers ? at : asText(cells[JOB])) ?? '',
				}),
			}));
			results.clear();
			warnedOf.clear();
			const parts = story.isOneByOne ? rows.map((cells) => [cells]) : [rows];
			for (const part of parts) {
				for (const { json, isWarnedOf } of await run(service, part, story, way)) {
					const job = asText(json[JOB]);
					if (json.bookingID)
						ids.set(job, json.bookingID).set(Number(json.row_number) - 2, json.bookingID);
					results.set(job, [...(results.get(job) ?? []), asText(json.result)]);
					if (isWarnedOf) warnedOf.add(job);
				}
			}
			if (index === 0) story.meanwhile?.(service);
			if (way.restarts) forgetKeys();
		}
	} finally {
		await service.close();
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
