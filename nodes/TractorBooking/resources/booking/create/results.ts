import type { IDataObject } from 'n8n-workflow';

import { issueText } from '../../../parse/issue';
import { withStatusLabel } from '../../../api/status';
import type { ItemResult } from '../../operation';
import type { BookingRow } from './rows';
import type { SendResult } from './sendBooking';

/** What became of a row, in the table of results. */
export type Result = 'created' | 'already booked' | 'failed' | 'unknown' | 'not sent';

/** The row in words, as the operator sees it in the sheet and in n8n. */
export function rowName({ sheetRow, itemIndex }: BookingRow): string {
	return `Row ${sheetRow} (item ${itemIndex})`;
}

/** What the table of results needs to know of a row. */
type Reported = Pick<BookingRow, 'sheetRow' | 'tractor'>;

function report(row: Reported, result: Result, reason: string): IDataObject {
	const tractor = row.tractor && { ...row.tractor };
	return { result, reason, spreadsheetRow: row.sheetRow, ...(tractor ? { tractor } : {}) };
}

/** A row that came to a booking, or that only was to be checked. */
export function succeeded(
	row: BookingRow,
	result: Result,
	reason: string,
	booking: IDataObject = {},
): ItemResult {
	const record = booking.bookingStatus === undefined ? booking : withStatusLabel(booking);
	const request = { ...row.request } as IDataObject;
	// The table of results comes last: the service may have fields of the same name.
	return { records: [{ ...record, ...report(row, result, reason), request }] };
}

/** A row that came to no booking, or to nobody knows what. */
export function failed(row: Reported, result: Result, failure: Error): ItemResult {
	return { records: [], failure, report: report(row, result, failure.message) };
}

/** All that is wrong with a row, as one text. */
export function issuesText(row: BookingRow): string {
	return `${rowName(row)}: ${row.issues.map(issueText).join(' ')}`;
}

/** The outcome of a row that was sent. */
export function sentResult(row: BookingRow, sent: SendResult): ItemResult {
	if (sent.result === 'created') return succeeded(row, sent.result, sent.reason, sent.booking);
	return failed(row, sent.result, sent.failure);
}
