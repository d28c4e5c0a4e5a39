import { ServiceError, toPlainError, TRY_LATER } from '../../../../api/errors';
import type { BookingId } from '../../../../api/records';
import { quoted } from '../../../../api/responses';
import { labelsOf } from '../row/fields';
import { SLOT_MS } from '../memory/timing';
import type { Row } from '../row/row';

// What is said of rows that are not sent or may be booked, and of a list that cannot be used: no cell has to be corrected.

/** What to do if rows may be booked: by then, their claims have ended. */
const WAIT = `Wait ${(2 * SLOT_MS) / 60_000} minutes`;

/** What else to do if the service says something: it may be what is wrong with the row. */
const IF_IT_SAYS_WHY =
	'If that says what is wrong, look the booking up with Booking > Get Many: if it is there, write its ID into the row; if not, correct the row. Otherwise:';

/** Why no other row is sent: the failure of all that are left. */
const notSent = (why: string, description: string): ServiceError =>
	new ServiceError('stopped', `Not sent: ${why}`, { description });

/** What needs no correction of a row, as it is thrown, or said of the row. */
export const failureOf = {
	/**
	 * A row that may be booked, or not.
	 *
	 * @param request why its request got no response; undefined if another run has sent the row
	 */
	unknown(row: Row, request?: ServiceError): ServiceError {
		const message = request
			? `It is unknown whether this row was booked: ${request.message}`
			: `${row.denied.length > 0 ? 'A row with the same job' : 'This row'} may have been sent a few minutes ago`;
		const { kind = 'interrupted', status, said = '' } = request ?? {};
		const wait = `${WAIT}, then try all rows again, with this row unchanged.${request ? ' If it fails each time, ask the operator of the service.' : ''}`;
		const advice = said === '' ? wait : `${IF_IT_SAYS_WHY} ${wait}`;
		return new ServiceError(kind, message, { status, description: quoted(said, advice) });
	},

	/** A row whose request failed in a way that no one expects, and those after it. */
	unexpected: (thrown: unknown): ServiceError =>
		new ServiceError('unreadable', `Unexpected failure: ${toPlainError(thrown).message}`, {
			description: 'Run the rows again; if it persists, report it.',
		}),

	noResponses: () =>
		notSent(
			'the service gave no usable response for the rows before it, which may be booked',
			`${WAIT}, then run the same rows again: those that may be booked are asked about. If this happens each time, run the rows after them alone, and ask the operator of the service.`,
		),

	refused: ({ sheetRow }: Row, { message }: Error) =>
		notSent(
			`the service refused row ${sheetRow}: ${message}`,
			`Once the credential is corrected, run the same rows again, unchanged. If it has booked other rows, run them without row ${sheetRow}.`,
		),

	/** A response that names a booking of before. */
	existing: (id: BookingId): ServiceError =>
		new ServiceError('unreadable', `The service returned booking ${id}, which already existed`),

	/** A list of bookings that cannot be read. What can pass needs no more words. */
	unreadableList(error: ServiceError): ServiceError {
		const { kind, message } = error;
		if (!['notAllowed', 'unreadable', 'incomplete', 'notFound'].includes(kind)) return error;
		// What is said of a list that ends early is for those who want its records.
		const description = kind === 'incomplete' ? TRY_LATER : error.description;
		const why = 'Without the list of bookings, the node cannot tell which rows are booked already.';
		// An empty list may be unreadable, too: it is not there yet, or its count is wrong.
		const first =
			'If your organisation has no bookings yet, book one row with Options > Compare With Bookings off.';
		const parts = [description, why, ...(kind === 'notAllowed' ? [] : [first])];
		return new ServiceError(kind, message, { ...error, description: parts.join(' ').trim() });
	},

	/** A list of bookings of which none shows what rows are compared by. */
	incomparableList(missing: readonly string[]): ServiceError {
		const aboutTimes = missing.includes('serviceDate')
			? "If the dates are times, set the workflow's timezone to that of the farms. Otherwise, turn"
			: 'Turn';
		return new ServiceError(
			'unreadable',
			`The service returns bookings without a readable ${labelsOf(missing)}`,
			{
				description: `Rows already booked cannot be recognised. ${aboutTimes} off Options > Compare With Bookings: then only rows that n8n remembers are skipped.`,
			},
		);
	},
};

/** What to do about a row that the service refuses: whoever corrects one that is booked books it twice. */
export const IF_REFUSED = {
	refusedFix:
		'If it says that the booking exists, change nothing: look it up with Booking > Get Many. Otherwise correct the values it names, and run it again.',
	notFoundFix:
		'Check both with Tractor > Find Nearby and Get. If every row fails, check the base URL in the credential.',
};

/** What is said once of a run: of the list in its output, of n8n's store in n8n's log. */
export const NOTICES = {
	listIncomplete: (counted: number, listed: number) =>
		`The service counts ${counted} bookings and lists ${listed}: a row whose booking is among the others would be booked again. Tell the operator of the service.`,
	notSaved:
		'n8n could not save which rows are booked. Before you run the rows again, write their Booking IDs into the sheet',
	notSearched: 'The bookings of rows that another run has sent could not be searched for',
	stopped: (count: number, ids: string) =>
		`The execution was stopped. Bookings it made: ${count} (${ids})`,
	notReleased: `${WAIT} before you run the rows again, or some may stay unknown`,
};
