import { ServiceError, toPlainError } from '../../../../api/errors';
import type { BookingId } from '../../../../api/records';
import { about, listOf, sentencesOf } from '../../../../parse/issue';
import { asText } from '../../../../utils/text';
import { labelsOf } from './fields';

const OTHER_TAB =
	'if the table is in another tab, name it under Options > Sheet Name of the node that reads the file';

/** How to leave out an optional field whose cells cannot be sent. */
export const LEAVE_OUT =
	'correct the column with an Edit Fields node before this one, or set it to None (Ignore) under Options > Column Mapping';

/** Ways out of an issue that naming another tractor would fix; in an option if the node takes the nearest. */
export type ById = readonly [fix: string, setting?: string];

export const byTractorId = ({ tractorSelection }: { tractorSelection: string }): ById =>
	tractorSelection === 'nearest'
		? ['', 'set Choose Tractor to Specific Tractor']
		: ['write the ID of a tractor'];

/** What may be wrong with the settings, a sheet, a row by itself, or its tractor. `matches.ts` has what others make of it. */
export const issueOf = sentencesOf({
	executeOnce: () => [
		'is on in the settings of this node, which then gets the first row only',
		'turn it off',
	],
	mappedTwice: () => ['is mapped to two fields', 'remove one of the two'],
	noMeaning: () => [
		'has a line that does not say what a name means, or two lines for one name',
		'write one line for each name, such as Labour = Ploughing',
	],
	differs: () => [
		'must be the same for all rows of a run, but differs here',
		'let its expression return one value, or run these rows separately',
	],

	// The sheet: what names its cells is in the fix, since n8n logs the problem.
	noRows: () => ['has headings, but no rows', OTHER_TAB],
	headingsBelow: (row: string, some: string) => [
		about`has headings below the first line, in ${row}`,
		`these are ${some}: delete the rows above them if none is a request; otherwise, move the table that begins with them into a tab of its own`,
	],
	ownColumns: (names: string) => [
		'has columns with a name that this node writes to',
		`empty their cells, which would be overwritten, or, if a column is your own, rename it: ${names}`,
	],
	noHeadings: (cells: string, headings: string) => [
		'seems to begin with a request, not with headings',
		`its first line has ${cells}: add a line of headings above it, such as ${headings}`,
	],
	sameHeadings: (names: string) => [
		'has the same heading over several columns',
		`give each column its own heading, or, if tables stand side by side, move each into a tab of its own; n8n names them ${names}`,
	],
	noColumns: (fields: string, canSpare: boolean, isOther: boolean, isNoneRead: boolean) => [
		`has no column with values for ${fields}`,
		'fill it in, or rename the column that holds it',
		[
			'map it under Options > Column Mapping',
			canSpare && 'if the sheet has none, name the field under Options > Fields Not in the Sheet',
			isOther && 'if the rows name no tractor or no place, change Choose Tractor',
			isNoneRead && OTHER_TAB,
		]
			.filter(Boolean)
			.join('; '),
	],
	severalColumns: (columns: string) => [
		'is in several columns',
		`map one to it under Options > Column Mapping, and each other to what else it holds, or to None (Ignore): ${columns}`,
	],
	otherColumns: (columns: string, isNearest: boolean) => [
		'has columns that are not read',
		`these are ${columns}: if one holds a field, map it under Options > Column Mapping${isNearest ? ', or, if that is Tractor ID, change Choose Tractor' : ''}; if one decides which rows to book, put a Filter node before this one`,
	],
	noRowIdColumn: (column: string) => [
		`should be in the column ${column}, which this sheet lacks`,
		'add it, or change Options > Row ID',
	],
	mappedToNothing: (field: string, column: string, own?: string) => [
		`takes ${field} from ${column}, which this sheet lacks`,
		own === undefined
			? `correct the entry of ${column}`
			: `delete that entry: the sheet has ${own}`,
	],

	// Cells. In place of an error of Excel, readers give nothing.
	empty: () => ['has no value', 'fill it in'],
	noColumn: () => ['has no column', 'add it'],
	noFarmer: () => ['has neither the name nor the phone of the farmer', 'fill in one of the two'],
	noTractor: () => ['has no value', 'fill it in', 'set Choose Tractor to take the nearest one'],
	noPlace: ([fix, setting]: ById) => [
		'have no value',
		`fill them in${fix && `, or ${fix}`}`,
		setting,
	],
	halfAPlace: () => ['are incomplete', 'fill in both or leave both empty'],
	twoPlaces: () => ['are given twice', 'leave Latitude and Longitude empty'],
	zeroPlace: () => ['are 0, 0, a place in the sea', 'write the coordinate of the farm'],
	farAway: (mistake: string) => [
		`is far from the other farms, but near them with ${mistake}`,
		'correct it, or, if it is right, book the rows of that place in a sheet of their own',
	],
	noUnit: (isOtherUnit: boolean, isInSheet: boolean) => [
		'has no unit',
		`convert any other unit, and write ha or ac after the number${isOtherUnit ? ', or end the heading with (ha) or (ac) and name no other unit in it' : ''}`,
		isInSheet && !isOtherUnit ? 'set Options > Area Unit' : undefined,
	],
	twoUnits: () => [
		'has both ha and ac, in its cell, its heading or the column of units',
		'convert the number to one of them, and delete the other',
	],
	farAhead: () => ['is more than two years ahead', 'check the year'],
	pastDate: (today: string) => [
		'is in the past',
		`choose today (${today}) or a later day; if the work is done, remove the row`,
	],

	// Booking ID
	notABooking: () => [
		'is not the ID of a booking',
		'write 5001 if the row is booking 5001, or "not 5001" or "not 5001, 5002" if it is a different job, or leave it empty; if the column holds numbers of your own, rename it',
	],
	// The other one may be in another cell, which the node filled in.
	twoBookings: () => ['names two bookings', 'keep one of them; the other may be in bookingID'],
	yesAndNo: () => [
		'says both yes and no to one booking',
		'keep one of them; the other may be in bookingID',
	],

	// Tractors and services
	noNumber: (who: string, byId: ById | []) => [
		about`has no number of its own in the details of ${who}`,
		['write the number of the service type', ...byId].filter(Boolean).join(', and '),
	],
	notOffered: (who: string, choices: string, [fix, setting]: ById) => [
		about`is not exactly one of the services of ${who}: ${choices}`,
		`write one of these${fix && `, or ${fix}`}`,
		setting,
	],
	noDetails: () => ['has no details in the service', 'check the ID of the tractor'],
	noneNearby: ([fix, setting]: ById) => [
		'has no tractor nearby',
		`check the coordinate${fix && `, or ${fix}`}`,
		setting,
	],
	silentTractors: (tractors: string, [fix, setting]: ById) => [
		about`has ${tractors}, but their details name no services by number`,
		fix,
		[setting, 'turn on Options > Accept Tractors That Name No Services']
			.filter(Boolean)
			.join(', or '),
	],
	unmeasured: (id: number, distance: string, byId: ById) => [
		about`has tractor ${id} nearby, whose distance ${distance} cannot be read: it may be the nearest`,
		...byId,
	],
});

/** What is said of rows with which nothing is wrong. */
export const REMARKS = {
	nearest: (tractors: string, isSilent: boolean) =>
		`nearest of ${tractors}${isSilent ? '; whether it offers the service is unknown' : ' with the service'}`,
	noRequest:
		'the row is not a request: its phone, service, date, Booking ID, tractor and place are all empty',
	bookedWithout: (fields: readonly string[]) => `booked without ${labelsOf(fields)}`,
	denies: (denied: readonly BookingId[]) =>
		`said not to be booking ${listOf(denied.map(asText), 'or')}`,
};

/** n8n could not remember something. @param why what it threw; undefined if it kept no claim */
export const notRemembered = (
	why: unknown = 'it is too slow, or other runs write to it all the time',
): ServiceError =>
	new ServiceError(
		'stopped',
		`n8n could not record the rows in its database: ${toPlainError(why).message}`,
		{ description: 'Run the rows again; if it persists, check the database of n8n.' },
	);
