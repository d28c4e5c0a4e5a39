import type { IDataObject } from 'n8n-workflow';

import type { BookingRequest } from '../../../api/types';
import type { ServiceClient } from '../../../api/client';
import { createBooking } from '../../../api/endpoints';
import { settle, ServiceError } from '../../../api/errors';
import { pause } from '../../../api/abort';
import { asText } from '../../../utils/text';
import { ExistingBookings } from './existingBookings';
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

/** How to recognise a booking whose response was lost. */
export interface Recognition {
	matchFields: readonly MatchField[];
	/** IANA name of the workflow's timezone. */
	timezone: string;
	/** IDs of the bookings that existed before; undefined if they were not fetched. */
	knownIds?: ReadonlySet<string>;
}

/**
 * Sends a booking so that it is created once, although the interface has no idempotency key: if the response is lost,
 * searches the organisation's bookings, and sends the booking once more only if it does not appear there.
 */
export async function sendBooking(
	client: ServiceClient,
	request: BookingRequest,
	recognition: Recognition,
): Promise<SendResult> {
	let again = '';
	for (let attempt = 1; ; attempt++) {
		const answer = await settle(createBooking(client, request));
		if (!(answer instanceof ServiceError))
			return { result: 'created', booking: answer, reason: again };
		if (!answer.outcomeUnknown) {
			return { result: answer.kind === 'stopped' ? 'not sent' : 'failed', failure: answer };
		}

		const found = await settle(findBooking(client, request, recognition, answer));
		if (found instanceof ServiceError)
			return { result: 'unknown', failure: uncertain(answer, found) };
		if (found) {
			return {
				result: 'created',
				booking: found,
				reason: 'the answer was lost; found among the bookings',
			};
		}
		if (attempt === 2) return { result: 'failed', failure: neverArrived(answer) };
		again = 'sent again, since the first request had not arrived';
	}
}

/**
 * Searches for the booking of a request several times; undefined if it does not appear.
 *
 * @throws ServiceError if this cannot be determined
 */
async function findBooking(
	client: ServiceClient,
	request: BookingRequest,
	{ matchFields, timezone, knownIds }: Recognition,
	{ kind, status }: ServiceError,
): Promise<IDataObject | undefined> {
	if (requestKey(request, matchFields) === undefined) {
		throw new ServiceError(
			'unreadable',
			`the row has no ${matchFields.join(' or no ')} to recognise it by`,
		);
	}
	const mayBeAtWork = kind === 'timeout' || status === 502 || status === 504;
	for (const ms of [...RECHECK_DELAYS_MS, ...(mayBeAtWork ? [FINAL_RECHECK_DELAY_MS] : [])]) {
		await pause(ms, client.signal);
		const booked = await ExistingBookings.fetch(client, timezone);
		const isFresh = ({ bookingID }: IDataObject) => !knownIds?.has(asText(bookingID));
		const fresh = booked.matching(request, matchFields).filter(isFresh);
		if (fresh.length > 0 && !knownIds) {
			throw new ServiceError('unreadable', 'an equal booking exists, but it may be an older one');
		}
		if (fresh[0]) return fresh[0];
		const possibleMatch = booked
			.possibleMatches(request, matchFields)
			.find(({ booking }) => isFresh(booking));
		if (possibleMatch) {
			throw new ServiceError(
				'unreadable',
				`booking ${asText(possibleMatch.booking.bookingID)} may be the one, but its ${possibleMatch.unreadable.join(' and ')} cannot be read`,
			);
		}
	}
	return undefined;
}

function uncertain(lost: ServiceError, why: ServiceError): ServiceError {
	return new ServiceError(lost.kind, `It is unknown whether this row was booked: ${lost.message}`, {
		status: lost.status,
		description: `It could not be found out: ${why.message}. Run the rows again with If Already Booked set to Skip, or look the booking up with Booking > Get Many first.`,
	});
}

function neverArrived(lost: ServiceError): ServiceError {
	return new ServiceError(lost.kind, lost.message, {
		status: lost.status,
		description: ['Sent twice, and no such booking exists.', lost.description]
			.filter(Boolean)
			.join(' '),
	});
}
