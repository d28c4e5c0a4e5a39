/** What becomes of a row. With Dry Run, a row that is right would be created. */
const RESULTS = [
	...(['created', 'would create', 'already booked', 'possible duplicate'] as const),
	...(['to fix', 'failed', 'unknown', 'not sent'] as const),
] as const;

export type Result = (typeof RESULTS)[number];

/**
 * The columns that the node writes into the items of rows, before the row's own: the same for every row, so that a sheet
 * can be updated from them. `request` is written with Dry Run only, and `summary` with Dry Run into the first item.
 *
 * None but `bookingID` is the name or heading of a field: a sheet with the results written back reads as before.
 */
export const RESULT_COLUMNS = [
	'result',
	'reason',
	'toDo',
	'bookingID',
	'possibleBookingIDs',
	'clusterID',
	'bookingStatus',
	'bookingStatusLabel',
	'bookedService',
	'bookedTractorId',
	'bookedTractorDistance',
	'request',
	'summary',
] as const;

export const isResultColumn = (name: string): boolean =>
	RESULT_COLUMNS.some((column) => column === name);

/** Those that may be a person's own words. */
export const PLAIN_RESULT_COLUMNS = ['result', 'reason', 'request', 'summary'] as const;

/** What stands in `result`; the last two in what the form of examples/spreadsheet-to-bookings gives back. */
export const RESULT_WORDS = [...RESULTS, 'can be booked', 'left out'] as const;

export type ResultColumn = (typeof RESULT_COLUMNS)[number];
