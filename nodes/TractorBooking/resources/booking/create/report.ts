import type { IDataObject } from 'n8n-workflow';

import { ServiceError } from '../../../api/errors';
import { withStatusLabel } from '../../../api/status';
import type { BookingRequest } from '../../../api/types';
import { issueText } from '../../../parse/issue';
import type { ItemResult } from '../../operation';
import type { ChosenTractor, ReadyRow } from './chooseTractors';
import type { AlreadyBookedRow, DuplicateRow } from './match';
import type { BlankRow, RejectedRow, SheetRow } from './rows';
import type { SentRow } from './sendRow';

/** The result of a row, as shown in the table of results. */
export type Result =
	'created' | 'already booked' | 'failed' | 'unknown' | 'not sent' | 'possible duplicate';

/** A row of which all is known. One that is ready was only to be checked (Validate Only). */
export type FinishedRow =
	BlankRow | RejectedRow | AlreadyBookedRow | DuplicateRow | ReadyRow | SentRow;

/** The part of a row that the table of results uses. */
interface Reported {
	sheetRow: number;
	request?: BookingRequest;
	tractor?: ChosenTractor;
}

function report({ sheetRow, tractor }: Reported, result: Result, reason: string): IDataObject {
	return { result, reason, spreadsheetRow: sheetRow, ...(tractor && { tractor: { ...tractor } }) };
}

/** The item of a row that has a booking, or that was not to be sent. */
function succeeded(
	row: Reported,
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

/** The name of a row in messages: its number in the sheet and its item in n8n. */
function rowName({ sheetRow, itemIndex }: SheetRow): string {
	return `Row ${sheetRow} (item ${itemIndex})`;
}

/** The error of a row that cannot be booked. */
export function rejection(row: RejectedRow): Error {
	const { why } = row;
	if (why instanceof ServiceError)
		return new ServiceError(why.kind, `${rowName(row)}: ${why.message}`, why);
	return new Error(`${rowName(row)}: ${why.map(issueText).join(' ')}`);
}

function sameAs(row: SheetRow, other: string): string {
	return `same ${row.settings.matchFields.join(' and ')} as ${other}`;
}

/** The booking that a row was found to have, or got. */
export function bookingOf(row: FinishedRow | undefined): IDataObject | undefined {
	if (row?.kind === 'alreadyBooked') return row.booking;
	return row?.kind === 'sent' && row.sent.result === 'created' ? row.sent.booking : undefined;
}

function reportDuplicate(row: DuplicateRow, earlier: FinishedRow | undefined): ItemResult {
	const reason = sameAs(row, `row ${row.earlier.sheetRow}`);
	const booking = bookingOf(earlier);
	if (booking) {
		const { bookingID, clusterID } = booking;
		const ids = { bookingID, ...(clusterID === undefined ? {} : { clusterID }) };
		return succeeded(row, 'already booked', reason, ids);
	}
	if (earlier?.kind === 'ready')
		return succeeded(row, 'not sent', `${reason}; Validate Only is on`);
	const isUnknown = earlier?.kind === 'sent' && earlier.sent.result === 'unknown';
	const fate = isUnknown ? 'of which it is unknown whether it was booked' : 'which was not booked';
	return failed(row, 'not sent', new Error(`${rowName(row)} has the ${reason}, ${fate}`));
}

/**
 * Last stage: what becomes of each row in the output.
 *
 * @param rows the first rows of the input, in its order, without a gap
 */
export function reportRows(rows: readonly FinishedRow[]): ItemResult[] {
	return rows.map((row): ItemResult => {
		switch (row.kind) {
			case 'blank':
				return succeeded(row, 'not sent', 'the row is empty');
			case 'rejected':
				return failed(
					row,
					row.isPossibleDuplicate ? 'possible duplicate' : 'not sent',
					rejection(row),
				);
			case 'alreadyBooked':
				return succeeded(row, 'already booked', row.reason, row.booking);
			case 'duplicate':
				return reportDuplicate(row, rows[row.earlier.itemIndex]);
			case 'ready':
				return succeeded(row, 'not sent', 'Validate Only is on; the row is valid');
			case 'sent': {
				const { sent } = row;
				return sent.result === 'created'
					? succeeded(row, sent.result, sent.reason, sent.booking)
					: failed(row, sent.result, sent.failure);
			}
		}
	});
}
