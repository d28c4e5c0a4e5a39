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
	/** What to do about values that are refused; by default to correct them. */
	refusedFix?: string;
	/** What a 404 says about the thing asked for; by default that nothing is at this URL. */
	notFound?: string;
	/** What to do about a 404; by default to check what was asked for, and the base URL. */
	notFoundFix?: string;
}
