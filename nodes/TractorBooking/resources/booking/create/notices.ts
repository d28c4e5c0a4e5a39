import type { IDataObject } from 'n8n-workflow';

import { comparableDistance } from '../../../parse/distance';
import { listedValue } from '../../../parse/issue';
import { listOf } from '../../../parse/labels';
import { DOUBTFUL_PHONE } from '../../../parse/phones';
import { labelOf } from './fields';
import { groupBy } from '../../../utils/groupBy';
import { asText } from '../../../utils/text';
import { rowsIn, type CheckedRow, type ReadyRow } from './row';
import type { OtherColumn } from './rows';

/** What is said of a run as a whole; with Dry Run, it is in the first item, for a form to show. */
export type SheetSummary = {
	/** All of it in one text. */
	text: string;
	/** What is wrong with the sheet as a whole, the key or the service; empty if nothing is. */
	problem: string;
	/** What the user should know of the rows. */
	notices: string[];
	/** The columns that hold a field. */
	columns: Array<{ column: string; field: string }>;
	/** Those that hold none, each with some of its values. */
	otherColumns: Array<{ column: string; values: string[] }>;
};

/** Rows of one day that one tractor can hardly serve. */
const MANY_ROWS = 6;

/** How many times the usual distance of a tractor is worth a look, in runs with so many rows at least. */
const FAR = 4;
const FEW_ROWS = 4;

/** Cases that one notice names. */
const SHOWN_CASES = 5;

/** The first cases, and how many more there are. */
function casesOf(texts: readonly string[]): string {
	const more = texts.length - SHOWN_CASES;
	return [...texts.slice(0, SHOWN_CASES), ...(more > 0 ? [`and ${more} more`] : [])].join('; ');
}

/** In which rows something is, unless the run has only one. */
const inRows = (some: readonly CheckedRow[], all: readonly CheckedRow[]) =>
	all.length > 1 ? ` in ${rowsIn(some)}` : '';

function ofOtherColumns(columns: SheetSummary['otherColumns']): string {
	if (columns.length === 0) return '';
	const names = columns.map(({ column, values }) => `${column} (${values.join(', ')})`);
	return `Not read: ${listOf(names)}. To use one, map it under Options > Column Mapping.`;
}

function ofRemarks(rows: readonly CheckedRow[]): string {
	const some = rows
		.filter((row) => row.kind === 'finished')
		.filter(({ remark }) => remark !== undefined);
	return some.length === 0 ? '' : `No requests: ${rowsIn(some)}.`;
}

function ofLocalPhones(ready: readonly ReadyRow[], rows: readonly CheckedRow[]): string {
	const local = ready.filter(({ request }) => request.farmerPhone?.startsWith('+') === false);
	if (local.length === 0) return '';
	return `Phone without a country code${inRows(local, rows)}: the farmer may get no SMS. Choose a Phone Country, or write it in international form.`;
}

function ofDoubtfulPhones(ready: readonly ReadyRow[], rows: readonly CheckedRow[]): string {
	const doubtful = ready.filter(({ notes }) => notes?.includes(DOUBTFUL_PHONE));
	if (doubtful.length === 0) return '';
	return `Phone that is not a known mobile number${inRows(doubtful, rows)}: check its digits; the farmer may get no SMS.`;
}

/** Days on which one tractor has several farms of those that it was chosen for, or many that name it. */
function ofSharedTractors(ready: readonly ReadyRow[]): string {
	const dated = ready.filter(({ request }) => request.serviceDate);
	const days = groupBy(
		dated,
		({ request }) => `tractor ${request.tractorId} on ${request.serviceDate}`,
	);
	const shared = [...days].filter(([, some]) => {
		const chosen = some.filter(({ tractor }) => tractor);
		const farms = new Set(
			chosen.map(({ request: { latitude, longitude } }) => `${latitude} ${longitude}`),
		);
		return farms.size > 1 || some.length >= MANY_ROWS;
	});
	if (shared.length === 0) return '';
	const texts = shared.map(([day, some]) => `${day} has ${rowsIn(some)}`);
	return `Several farms on one day: ${casesOf(texts)}. To limit them, set Options > Bookings per Tractor and Day.`;
}

/** Tractors that come from much farther away than those of the other rows: the coordinate may be wrong. */
function ofFarTractors(ready: readonly ReadyRow[]): string {
	const away = ready
		.flatMap((row) => {
			const distance =
				row.tractor && comparableDistance({ distance: row.tractor.distance }, 'distance');
			return distance === undefined ? [] : [{ row, distance }];
		})
		.sort((a, b) => a.distance - b.distance);
	const usual = away[Math.floor((away.length - 1) / 2)]?.distance ?? 0;
	const far = away.filter(({ distance }) => distance >= FAR * usual);
	if (away.length < FEW_ROWS || usual === 0 || far.length === 0) return '';
	const texts = far.map(({ row }) => `${rowsIn([row])}, distance ${asText(row.tractor?.distance)}`);
	return `Tractors much farther away than the others (${usual}): ${casesOf(texts)}. Check the coordinates.`;
}

/**
 * What the user should know of a run although it is not an error: how the columns were read, rows and cells that were not
 * used, phones without a country or not of a mobile, and tractors that are shared or far away.
 *
 * @param rows the rows before they are sent
 * @param items the cells of all rows
 * @param others columns that hold something, but no field
 */
export function summaryOf(
	rows: readonly CheckedRow[],
	items: readonly IDataObject[],
	others: readonly OtherColumn[],
): SheetSummary {
	const ready = rows.filter((row) => row.kind === 'ready');
	// Nearly all rows have the same.
	const fields = new Map(
		[...new Set(rows.map(({ columns }) => columns ?? []))].flatMap((some) => [...some]),
	);
	// A field in two columns is named as both, joined.
	const isColumn = (name: string) => items.some((cells) => name in cells);
	const otherColumns = others.map(({ name, values }) => ({
		column: name,
		values: [...new Set(values.map(listedValue))],
	}));
	const notices = [
		ofRemarks(rows),
		ofLocalPhones(ready, rows),
		ofDoubtfulPhones(ready, rows),
		ofSharedTractors(ready),
		ofFarTractors(ready),
	].filter(Boolean);
	return {
		text: [ofOtherColumns(otherColumns), ...notices].filter(Boolean).join(' '),
		problem: '',
		notices,
		columns: [...fields]
			.filter(([, column]) => isColumn(column))
			.map(([field, column]) => ({ column, field: labelOf(field) })),
		otherColumns,
	};
}
