import type { IDataObject } from 'n8n-workflow';

import { withStatusLabel } from '../../../api/status';
import { groupBy } from '../../../utils/groupBy';
import { asText, isEmpty } from '../../../utils/text';
import type { ItemResult } from '../../operation';
import { finished, isFailure, type FinishedRow } from './row';

/**
 * The fields of the node in an item, after the row's own columns: the same for every row, so that a sheet can be
 * updated from them.
 */
function outputOf(own: IDataObject, row: Partial<FinishedRow>): IDataObject {
	const { result, failure, request, tractor, notes = [], booking = {} } = row;
	const record = booking.bookingStatus === undefined ? booking : withStatusLabel(booking);
	const {
		bookingID = own.bookingID ?? null,
		clusterID = null,
		bookingStatus = null,
		bookingStatusLabel = null,
	} = record;
	const away = isEmpty(tractor?.distance) ? '' : `, distance ${asText(tractor?.distance)}`;
	const choice = tractor && `tractor ${tractor.TractorID}${away}: ${tractor.reason}`;
	const reason = failure ? textOf(failure) : row.reason;
	return {
		...own,
		result,
		reason: [reason, ...notes, choice].filter(Boolean).join('; '),
		bookingID,
		clusterID,
		bookingStatus,
		bookingStatusLabel,
		tractorId: request?.tractorId ?? own.tractorId ?? null,
		request: request ? { ...request } : null,
	};
}

/** What went wrong, and what to do about it. */
export function textOf(failure: Error): string {
	const description = 'description' in failure ? asText(failure.description) : '';
	return description ? failure.message.replace(/\.?$/, `. ${description}`) : failure.message;
}

/** The item of a row that failed, or whose outcome is unknown. */
export function failed(own: IDataObject, row: Partial<FinishedRow>): ItemResult {
	return { records: [], failure: row.failure, report: outputOf(own, row) };
}

/** The item of a row, of which the output keeps all columns. @param added is in the items of rows without a failure */
export function reportRow(row: FinishedRow, own: IDataObject, added: IDataObject): ItemResult {
	return isFailure(row) ? failed(own, row) : { records: [{ ...outputOf(own, row), ...added }] };
}

/** The rows, of which those that repeat an earlier one have what became of it. @param rows in the order of the input */
export function resolveRepeats(rows: readonly FinishedRow[]): FinishedRow[] {
	const byItem = new Map<number, FinishedRow>();
	for (const row of rows) {
		const earlier = row.earlier && byItem.get(row.earlier.itemIndex);
		const isOpen = row.earlier && !row.booking;
		byItem.set(row.itemIndex, isOpen ? withResultOf(row, earlier) : row);
	}
	return [...byItem.values()];
}

function withResultOf(row: FinishedRow, earlier?: FinishedRow): FinishedRow {
	const { booking, result } = earlier ?? {};
	if (booking) return { ...row, booking };
	if (result === 'would create') return { ...row, reason: `${row.reason}, which would be created` };
	const isUnknown = result === 'unknown' || result === 'possible duplicate';
	const end = isUnknown
		? 'of which it is unknown whether it was booked'
		: 'which was not booked; run both again once that row is fixed';
	return finished(row, { result: 'not sent', failure: new Error(`${row.reason}, ${end}`) });
}

/** How many rows have which result: `12 created, 5 already booked, 3 to fix`. */
export function countResults(rows: readonly FinishedRow[]): string {
	return [...groupBy(rows, ({ result }) => result)]
		.map(([result, some]) => `${some.length} ${result}`)
		.join(', ');
}
