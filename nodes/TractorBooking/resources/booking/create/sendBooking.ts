import type { IDataObject } from 'n8n-workflow';

import { settle, ServiceError } from '../../../api/errors';
import { pause } from '../../../api/abort';
import { asText } from '../../../utils/text';
import { uncertaintyOf } from './match';
import type { Pair } from './pairs';

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
	/**
	 * Sends the request once.
	 *
	 * @throws ServiceError
	 */
	send: () => Promise<IDataObject>;
	/**
	 * Reads the bookings that were not there before and may be that of the row; undefined if nothing tells which were
	 * there before, or by what to recognise it.
	 *
	 * @throws ServiceError
	 */
	search?: () => Promise<Pair[]>;
	/** Whether an equal booking may also be that of another row, of which it is unknown whether it was booked. */
	isContended: () => boolean;
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
	{ search, isContended, showsNewBookings, signal }: Sending,
	lost: ServiceError,
): Promise<IDataObject | undefined> {
	if (!search)
		throw new ServiceError('unreadable', 'the row was not compared with the bookings before');
	const isLate = mayBeAtWork(lost);
	for (const ms of [...RECHECK_DELAYS_MS, ...(isLate ? [FINAL_RECHECK_DELAY_MS] : [])]) {
		await pause(ms, signal);
		const candidates = (await search()).filter(({ kind }) => kind !== 'moved');
		const [best] = candidates.sort((a, b) => b.fit - a.fit);
		const doubt = best && doubtAbout(best, isContended());
		if (doubt) {
			const id = asText(best.booking.bookingID);
			throw new ServiceError('unreadable', `booking ${id} may be the one, but ${doubt}`);
		}
		if (best) return best.booking;
	}
	if (isLate)
		throw new ServiceError('unreadable', 'the service may have booked it later than that');
	if (!showsNewBookings())
		throw new ServiceError('unreadable', 'the list of bookings may show new ones later than that');
	return undefined;
}

/** Why a booking that is like a row may not be its own; undefined if it is. */
function doubtAbout(pair: Pair, isContended: boolean): string | undefined {
	const { farmerName, serviceType } = pair.alike;
	if (pair.kind !== 'equal') return uncertaintyOf(pair);
	if (farmerName === false || serviceType === false) return 'it has another name or service';
	return isContended && !farmerName
		? 'it may be that of another row of its match fields'
		: undefined;
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
