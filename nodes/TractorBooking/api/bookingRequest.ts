import type { AreaType } from '../parse/areaUnits';

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
	areaType?: AreaType;
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
