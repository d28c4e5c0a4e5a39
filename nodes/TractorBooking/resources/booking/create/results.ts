import type { IDataObject } from 'n8n-workflow';

import { issueText } from '../../../parse/issue';
import { withStatusLabel } from '../../../api/status';
import type { ItemResult } from '../../operation';
import type { BookingRow } from './rows';
import type { SendResult } from './sendBooking';

/** The result of a row, as shown in the table of results. */
export type Result = 'created' | 'already booked' | 'failed' | 'unknown' | 'not sent';

/** The name of a row in messages: its number in the sheet and its item in n8n. */
export function rowName({ sheetRow, itemIndex }: BookingRow): string {
	return `Row ${sheetRow} (item ${itemIndex})`;
}

/** The part of a row that the table of results uses. */
type Reported = Pick<BookingRow, 'sheetRow' | 'tractor'>;

function report(row: Reported, result: Result, reason: string): IDataObject {
	const tractor = row.tractor && { ...row.tractor };
	return { result, reason, spreadsheetRow: row.sheetRow, ...(tractor ? { tractor } : {}) };
}

/** The item of a row that has a booking, or that was not to be sent. */
export function succeeded(
	row: BookingRow,
	result: Result,
	reason: string,
	booking: IDataObject = {},
): ItemResult {
	const record = booking.bookingStatus === undefined ? booking : withStatusLabel(booking);
	const request = { ...row.request } as IDataObject;
	// The report comes last, because the service may use the same field names.
	return { records: [{ ...record, ...report(row, result, reason), request }] };
}

/** The item of a row that failed, or whose outcome is unknown. */
export function failed(row: Reported, result: Result, failure: Error): ItemResult {
	return { records: [], failure, report: report(row, result, failure.message) };
}

/** All issues of a row, as one text. */
export function issuesText(row: BookingRow): string {
	return `${rowName(row)}: ${row.issues.map(issueText).join(' ')}`;
}

/** The item of a row that was sent. */
export function sentResult(row: BookingRow, sent: SendResult): ItemResult {
	if (sent.result === 'created') return succeeded(row, sent.result, sent.reason, sent.booking);
	return failed(row, sent.result, sent.failure);
}
