import type { IDataObject } from 'n8n-workflow';

import { ServiceError } from '../../../api/errors';
import { withStatusLabel } from '../../../api/status';
import type { BookingRequest } from '../../../api/types';
import { formatValue, issueText } from '../../../parse/issue';
import { labelsOf } from '../../../parse/labels';
import { asText, isEmpty } from '../../../utils/text';
import type { ItemResult } from '../../operation';
import type { ChosenTractor, ReadyRow } from './chooseTractors';
import type { AlreadyBookedRow, DuplicateRow } from './match';
import type { BlankRow, RejectedRow } from './rows';
import type { SentRow } from './sendRow';

/** The result of a row. With Validate Only, a row that is right would be created. */
export type Result =
	| 'created'
	| 'would create'
	| 'already booked'
	| 'possible duplicate'
	| 'to fix'
	| 'failed'
	| 'unknown'
	| 'not sent';

/** A row of which all is known. One that is ready was only to be checked (Validate Only). */
export type FinishedRow =
	BlankRow | RejectedRow | AlreadyBookedRow | DuplicateRow | ReadyRow | SentRow;

/** What of a row is in its item. */
interface Reported {
	request?: BookingRequest;
	tractor?: ChosenTractor;
	notes?: readonly string[];
}

/**
 * The fields of the node in an item, after the row's own columns: the same for every row, so that a sheet can be
 * updated from them.
 */
function outputOf(
	own: IDataObject,
	{ request, tractor, notes = [] }: Reported,
	result: Result,
	reason: string,
	booking: IDataObject = {},
): IDataObject {
	const record = booking.bookingStatus === undefined ? booking : withStatusLabel(booking);
	const {
		bookingID = own.bookingID ?? null,
		clusterID = null,
		bookingStatus = null,
		bookingStatusLabel = null,
	} = record;
	const away = isEmpty(tractor?.distance) ? '' : `, ${asText(tractor?.distance)} away`;
	const choice = tractor && `tractor ${tractor.TractorID}${away}: ${tractor.reason}`;
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

/** The item of a row that failed, or whose outcome is unknown. */
export function failed(
	own: IDataObject,
	row: Reported,
	result: Result,
	failure: Error,
): ItemResult {
	const description = 'description' in failure ? asText(failure.description) : '';
	const reason = description
		? failure.message.replace(/\.?$/, `. ${description}`)
		: failure.message;
	return { records: [], failure, report: outputOf(own, row, result, reason) };
}

/** What is wrong with a row that cannot be booked. */
export function whyRejected({ why }: RejectedRow): string {
	return why instanceof ServiceError ? why.message : why.map(issueText).join(' ');
}

function resultOfRejected({ why, doubt }: RejectedRow): Result {
	if (doubt) return doubt;
	return why instanceof ServiceError ? 'not sent' : 'to fix';
}

/** The booking that a row was found to have, or got. */
export function bookingOf(row: FinishedRow | undefined): IDataObject | undefined {
	if (row?.kind === 'alreadyBooked') return row.booking;
	return row?.kind === 'sent' && row.sent.result === 'created' ? row.sent.booking : undefined;
}

/** The item of a row that needs no attention. */
function succeeded(
	own: IDataObject,
	row: Reported,
	result: Result,
	reason: string,
	booking?: IDataObject,
): ItemResult {
	return { records: [outputOf(own, row, result, reason, booking)] };
}

function reportDuplicate(
	own: IDataObject,
	row: DuplicateRow,
	earlier: FinishedRow | undefined,
): ItemResult {
	const reason = `same ${labelsOf(row.settings.matchFields)} as row ${row.earlier.sheetRow}`;
	const booking = bookingOf(earlier);
	if (booking) return succeeded(own, row, 'already booked', reason, booking);
	if (earlier?.kind === 'ready')
		return succeeded(own, row, 'already booked', `${reason}, which would be created`);
	const isUnknown =
		earlier?.kind === 'sent'
			? earlier.sent.result === 'unknown'
			: earlier?.kind === 'rejected' && earlier.doubt;
	const fate = isUnknown ? 'of which it is unknown whether it was booked' : 'which was not booked';
	return failed(own, row, 'not sent', new Error(`${reason}, ${fate}`));
}

/** What a booking is likely to need, although the interface does not say so. */
const whatIsMissing = ({ request }: ReadyRow) =>
	request.serviceType === undefined ? 'it has no Service Type, which the service may refuse' : '';

function reportRow(
	own: IDataObject,
	row: FinishedRow,
	earlier: (row: DuplicateRow) => FinishedRow | undefined,
): ItemResult {
	switch (row.kind) {
		case 'blank':
			return succeeded(
				own,
				{},
				'not sent',
				row.note === undefined
					? 'the row is empty'
					: `the row is no request, but a note or a total: ${formatValue(row.note)}`,
			);
		case 'rejected': {
			const result = resultOfRejected(row);
			// With Validate Only, an issue is what was asked for.
			return row.settings.validateOnly
				? succeeded(own, {}, result, whyRejected(row))
				: failed(
						own,
						{},
						result,
						row.why instanceof ServiceError ? row.why : new Error(whyRejected(row)),
					);
		}
		case 'alreadyBooked':
			return succeeded(own, row, 'already booked', row.reason, row.booking);
		case 'duplicate':
			return reportDuplicate(own, row, earlier(row));
		case 'ready':
			return succeeded(own, row, 'would create', whatIsMissing(row));
		case 'sent': {
			const { sent } = row;
			return sent.result === 'created'
				? succeeded(own, row, sent.result, sent.reason, sent.booking)
				: failed(own, row, sent.result, sent.failure);
		}
	}
}

/**
 * Last stage: what becomes of each row in the output.
 *
 * @param rows in the order of the input
 * @param items the input items, of which the output keeps all columns
 */
export function reportRows(
	rows: readonly FinishedRow[],
	items: readonly IDataObject[],
): ItemResult[] {
	const byItem = new Map(rows.map((row) => [row.itemIndex, row]));
	return rows.map((row) =>
		reportRow(items[row.itemIndex] ?? {}, row, ({ earlier }) => byItem.get(earlier.itemIndex)),
	);
}

/** The result of a row in the output. */
export function resultOf({ records: [record], report }: ItemResult): Result {
	return { ...record, ...report }.result as Result;
}

/** How many rows have which result: `12 created, 5 already booked, 3 to fix`. */
export function countResults(results: readonly ItemResult[]): string {
	const counts = new Map<Result, number>();
	for (const result of results.map(resultOf)) counts.set(result, (counts.get(result) ?? 0) + 1);
	return [...counts].map(([result, count]) => `${count} ${result}`).join(', ');
}
