import type { Result } from '../../../../nodes/TractorBooking/resources/booking/create/row';

/** The words of the node for officers: what it says next is for the owner of the workflow. */
export const forOfficer = (text: string): string =>
	text
		.replace(
			/,? or set Options > [^,;.]+|,(?: or)? (?:make a number of it|correct the column) with an Edit Fields node[^;.]*|set Date Order, or /g,
			'',
		)
		.replace(/give each of the two a number in .*/, 'ask the owner of this form to book this row.')
		.replace('ask the operator of the service', 'tell the owner of this form')
		.replace(
			'empty its Booking ID, and give each job its own Row ID',
			'ask the owner of this form to book this row',
		)
		.replace(
			/empty its Booking ID, change its Row ID.*Create Anyway/,
			'ask the owner of this form',
		);

/** What an officer can do about a row. */
export function reasonForOfficer(result: Result, reason: string): string {
	const pattern = /^(.*?); if it is the same job, (write|delete|run)/s;
	const [, found, what] = (result === 'possible duplicate' && pattern.exec(reason)) || [];
	if (!found) return forOfficer(reason);
	const change =
		what === 'write' ? '; if its booking has to change, tell the owner of this form' : '';
	return `${found}. If it is the same job, delete this row${change}. If not, ask the owner of this form to book this row.`;
}

/** The row in which a problem of all rows is said, if this reason refers to it. */
export const rowReferredTo = (reason: string): number | undefined => {
	const [, row] = /^See row (\d+)\b/.exec(reason) ?? [];
	return row === undefined ? undefined : Number(row);
};

export const isNoRequest = (reason: string): boolean =>
	reason.startsWith('the row is not a request');

export const isTypedTwice = (reason: string): boolean => reason.startsWith('typed twice');
