import { isBlank } from '../../../parse/text';
import type { RawBooking } from './requestBuilder';

/** A row in which all of these are empty is no request: totals, a note below the table, a heading in between. */
const ASKED_FOR = ['farmerPhone', 'serviceType', 'serviceDate', 'bookingID'] as const;

/** Whether a row asks for a booking. */
export const isRequest = (raw: RawBooking): boolean =>
	ASKED_FOR.some((field) => !isBlank(raw[field]));
