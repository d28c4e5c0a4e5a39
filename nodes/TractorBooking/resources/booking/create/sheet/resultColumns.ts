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

export type ResultColumn = (typeof RESULT_COLUMNS)[number];
