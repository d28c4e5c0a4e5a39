/** One endpoint of the interface, as far as messages and pacing need to know it. */
export interface Endpoint {
	/** Requests of one name share a rate limit. */
	name: string;
	/** Requests a minute, if the interface states a limit ("Limits"). It says "about". */
	perMinute?: number;
	/** What the endpoint is asked for, to be read after "to", e.g. `list bookings`. */
	purpose: string;
	/** The scope that a key needs, if the interface names it. */
	scope?: string;
	/** What a 404 says about the thing asked for; by default that nothing is at this URL. */
	notFound?: string;
	/** What to do about a 404; by default to check what was asked for, and the base URL. */
	notFoundFix?: string;
}

/**
 * The body of a booking (interface, "Booking create request"). Which fields are required is not documented, and
 * neither are the types of the crop fields: `crop` and `custom_crop` carry a text here, `crops` a list of texts.
 */
export interface BookingRequest {
	tractorId?: number;
	serviceType?: number;
	/** `YYYY-MM-DD` */
	serviceDate?: string;
	/** In the unit of `areaType`. */
	landArea?: number;
	areaType?: 'ha' | 'ac';
	farmerName?: string;
	farmerPhone?: string;
	gender?: number;
	/** Decimal degrees. */
	latitude?: number;
	/** Decimal degrees. */
	longitude?: number;
	farmLocation?: string;
	farmNote?: string;
	crop?: string;
	crops?: string[];
	custom_crop?: string;
}

/** Name of a field of the request. */
export type BookingField = keyof BookingRequest;
