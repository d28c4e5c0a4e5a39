import type { IDataObject } from 'n8n-workflow';

import type { BookingRequest } from '../../../api/types';
import { labelOf, labelsOf } from '../../../parse/labels';
import { settle, ServiceError } from '../../../api/errors';
import { pause } from '../../../api/abort';
import { asText } from '../../../utils/text';
import type { ExistingBookings } from './existingBookings';
import { fitOf, likeness } from './likeness';
import type { MatchField } from './matchKey';
import { requestKey } from './matchKey';

/** The result of sending a booking. */
export type SendResult =
	| { result: 'created'; booking: IDataObject; reason: string }
	| { result: 'failed' | 'unknown' | 'not sent'; failure: ServiceError };

/** Delays before each search for a booking whose response was lost: it may appear in the list late. */
const RECHECK_DELAYS_MS = [1_000, 3_000, 6_000];

/** One more delay after a timeout (of the node or a gateway): the service may still be processing the request. */
const FINAL_RECHECK_DELAY_MS = 20_000;

/** How the booking of a row is sent, and how it is found if its response is lost. */
export interface Sending {
	request: BookingRequest;
	matchFields: readonly MatchField[];
	/**
	 * Sends the request once.
	 *
	 * @throws ServiceError
	 */
	send: () => Promise<IDataObject>;
	/**
	 * Reads the bookings that may be that of the row: no other row of this process has them.
	 *
	 * @throws ServiceError
	 */
	search: () => Promise<ExistingBookings>;
	/** Whether `search` leaves out the bookings that were there before. */
	findsNewOnly: boolean;
	/** Whether the list is known to show what was made some seconds ago. */
	showsNewBookings: () => boolean;
	/** Aborted when the execution is stopped. */
	signal?: AbortSignal;
}

/** Whether the service may still be at work on a request after its answer was lost. */
function mayBeAtWork({ kind, status }: ServiceError): boolean {
	return kind === 'timeout' || status === 502 || status === 504;
}

/**
 * Sends a booking so that it is created once, although the interface has no idempotency key: if the response is lost,
 * searches the organisation's bookings, and sends the booking once more only if it does not appear there, and would
 * have appeared if it had been made.
 */
export async function sendBooking(sending: Sending): Promise<SendResult> {
	let again = '';
	for (let attempt = 1; ; attempt++) {
		const answer = await settle(sending.send());
		if (!(answer instanceof ServiceError))
			return { result: 'created', booking: answer, reason: again };
		if (!answer.outcomeUnknown) {
			return { result: answer.kind === 'stopped' ? 'not sent' : 'failed', failure: answer };
		}

		const found = await settle(findBooking(sending, answer));
		if (found instanceof ServiceError)
			return { result: 'unknown', failure: uncertain(answer, found) };
		if (found) {
			return {
				result: 'created',
				booking: found,
				reason: 'the answer was lost; found among the bookings',
			};
		}
		// What answered with a status of success may have taken the booking, and make it late.
		if (answer.kind === 'unreadable' || answer.kind === 'notJson')
			return { result: 'unknown', failure: uncertain(answer, acceptedOnly()) };
		if (attempt === 2) return { result: 'failed', failure: neverArrived(answer) };
		again = 'sent again, since the first request had not arrived';
	}
}

/**
 * Searches for the booking of a request several times; undefined if it was not made.
 *
 * @throws ServiceError if this cannot be determined
 */
async function findBooking(
	{ request, matchFields, search, findsNewOnly, showsNewBookings, signal }: Sending,
	lost: ServiceError,
): Promise<IDataObject | undefined> {
	if (requestKey(request, matchFields) === undefined) {
		throw new ServiceError(
			'unreadable',
			`the row has no ${matchFields.map(labelOf).join(' or no ')} to recognise it by`,
		);
	}
	const isLate = mayBeAtWork(lost);
	for (const ms of [...RECHECK_DELAYS_MS, ...(isLate ? [FINAL_RECHECK_DELAY_MS] : [])]) {
		await pause(ms, signal);
		const booked = await search();
		const equal = booked.matching(request, matchFields);
		if (equal.length > 0 && !findsNewOnly) {
			throw new ServiceError('unreadable', 'an equal booking exists, but it may be an older one');
		}
		const [best] = equal
			.map((booking) => ({ booking, alike: likeness({ request }, booking) }))
			.sort((a, b) => fitOf(b.alike) - fitOf(a.alike));
		if (best?.alike.name === false || best?.alike.service === false)
			throw mayBeTheOne(best.booking, 'has another name or service');
		if (best) return best.booking;
		const [possible] = booked.possibleMatches(request, matchFields);
		if (possible)
			throw mayBeTheOne(possible.booking, `its ${labelsOf(possible.unreadable)} cannot be read`);
	}
	if (isLate)
		throw new ServiceError('unreadable', 'the service may have booked it later than that');
	if (!showsNewBookings())
		throw new ServiceError('unreadable', 'the list of bookings may show new ones later than that');
	return undefined;
}

function mayBeTheOne({ bookingID }: IDataObject, but: string): ServiceError {
	return new ServiceError('unreadable', `booking ${asText(bookingID)} may be the one, but ${but}`);
}

function uncertain(lost: ServiceError, why: ServiceError): ServiceError {
	return new ServiceError(lost.kind, `It is unknown whether this row was booked: ${lost.message}`, {
		status: lost.status,
		description: `It could not be found out: ${why.message}. Run the rows again after 15 minutes with If Already Booked set to Skip, or look the booking up with Booking > Get Many first.`,
	});
}

function acceptedOnly(): ServiceError {
	return new ServiceError('unreadable', 'the service answered, and no such booking is listed yet');
}

function neverArrived(lost: ServiceError): ServiceError {
	return new ServiceError(lost.kind, lost.message, {
		status: lost.status,
		description: ['Sent twice, and no such booking exists.', lost.description]
			.filter(Boolean)
			.join(' '),
	});
}
