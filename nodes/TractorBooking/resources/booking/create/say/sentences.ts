import { about, sentencesOf } from '../../../../parse/issue';

const ONE_OF_THEM = 'leave one of them';
const ROW_ID_BACK = 'if its Row ID was changed, change it back';
/** What tells two fields of one farmer apart. */
export const BY_PLOT = 'write in Plot of each which field it is';

const HOW_TO_ANSWER =
	'write 5001 if the row is booking 5001, or "not 5001" or "not 5001, 5002" if it is another job than these, or leave it empty; if the column holds numbers of your own, rename it';

/** What to write into a row that is a booking, or is another job than that. */
export interface Answers {
	yes: string;
	no: string;
}

/** What is said of several rows, which have different bookings. */
export const IN_ANY_ROW: Answers = {
	yes: 'write its ID in the Booking ID',
	no: 'write not before its Booking ID, such as not 5001',
};

const ifOtherJob = (no: string) =>
	`if the booking has to change, ask the operator of the service; if the row is another job, ${no}`;

/** What to do once a person has answered. @param isSheet whether the row is one of a sheet */
const andAgain = (isSheet: boolean) =>
	isSheet ? '; then try the whole sheet again' : ' and run it again';

/** Of a row that names a booking that is not its own. @param more what else may have to be done */
const ofWrongBooking = (more = '') =>
	`correct it, or empty the cell if the row is not booked yet; ${more}if the column holds numbers of your own, rename it`;

const OTHER_TAB =
	'if the table is in another tab, name it under Options > Sheet Name of the node that reads the file';

export const RAISE_DISTANCE = 'raise Options > Maximum Distance of the Tractor';

/** Ways out of an issue that naming another tractor would mend; in an option if the node takes the nearest. */
export type ById = readonly [fix: string, setting?: string];

/** What may be wrong with a row, or be left to a person to decide. */
export const issueOf = sentencesOf({
	executeOnce: () => [
		'is on in the settings of this node, which then gets the first row only',
		'turn it off',
	],
	mappedTwice: () => ['is mapped to two fields', 'remove one of the two'],
	differs: () => [
		'must be the same for all rows of a run, but differs here',
		'let its expression return one value, or run these rows separately',
	],

	// The sheet: what names its cells is in the fix, since n8n logs the problem.
	noRows: () => ['has headings, but no rows', OTHER_TAB],
	headingsBelow: (some: string) => [
		'has its headings below the first line',
		`delete the rows above the one with ${some}`,
	],
	noHeadings: (cells: string, headings: string) => [
		'seems to begin with a request, not with headings',
		`its first line has ${cells}: add a line of headings above it, such as ${headings}`,
	],
	sameHeadings: (names: string) => [
		'has the same heading over several columns',
		`give each column its own heading, or, if tables stand side by side, move each into a tab of its own; n8n names them ${names}`,
	],
	repeatGroup: () => [
		'has the rows of a repeat group of a form, without their farmers',
		'if it has the farmers, head their columns Farmer Name and Farmer Phone; if another tab has them, copy them into this one: the _parent_index of a row is the _index of its farmer (in Excel, use XLOOKUP)',
	],
	noColumns: (fields: string, isCore: boolean, isOther: boolean, isNoneRead: boolean) => [
		`has no column with values for ${fields}`,
		'fill it in, or rename the column that holds it',
		[
			'map it under Options > Column Mapping',
			isCore && 'if the sheet has none, name the field under Options > Fields Not in the Sheet',
			isOther && 'if the rows name no tractor or no place, change Choose Tractor',
			isNoneRead && OTHER_TAB,
		]
			.filter(Boolean)
			.join('; '),
	],
	severalColumns: (columns: string) => [
		'is in several columns',
		`map each under Options > Column Mapping to what it holds, or to None (Ignore): ${columns}`,
	],
	otherColumns: (columns: string) => [
		'has columns that are not read',
		`these are ${columns}: if one holds a field, map it under Options > Column Mapping; if one decides which rows to book, put a Filter node before this one`,
	],
	noRowIdColumn: (column: string) => [
		`is to be in the column ${column}, which this sheet does not have`,
		'add it, or change that option',
	],
	mappedToNothing: (field: string, column: string, own?: string) => [
		`takes ${field} from ${column}, which this sheet does not have`,
		own === undefined ? 'correct that entry' : `delete that entry: the sheet has ${own}`,
	],

	// Cells
	empty: () => ['is empty', 'fill it in'],
	noColumn: () => ['has no column', 'add it'],
	noTractor: () => ['is empty', 'fill it in', 'set Choose Tractor to take the nearest one'],
	noPlace: ([fix, setting]: ById) => ['are empty', `fill in both${fix && `, or ${fix}`}`, setting],
	noFarmer: () => ['has neither the name nor the phone of the farmer', 'fill in one of the two'],
	halfAPlace: () => ['lack one of the two', 'fill in both or leave both empty'],
	twoPlaces: () => ['are given twice', 'leave Latitude and Longitude empty'],
	zeroPlace: () => ['are 0, 0, a place in the sea', 'write the coordinate of the farm'],
	farAway: (mistake: string) => [
		`is far from the other farms, but near them with ${mistake}`,
		'correct it, or, if it is right, book this row alone',
	],
	noUnit: (orElse: string, setting?: string) => [
		'has no unit',
		`convert any other unit, and write ha or ac after the number${orElse}`,
		setting,
	],
	twoUnits: () => [
		'names two units for one land area',
		'convert the number to one of them, and leave the other unit out',
	],
	farAhead: () => ['is more than two years ahead', 'check the year'],
	pastDate: (today: string, isOf1904: boolean) => [
		'is in the past',
		`choose today (${today}) or a later day${
			isOf1904
				? '; if the sheet shows a day that is four years and a day later, its workbook counts the days from 1904: format the column as text, and type the dates again'
				: ''
		}`,
	],

	// Booking ID
	notABooking: () => ['is not the ID of a booking', HOW_TO_ANSWER],
	twoBookings: () => ['are two bookings', ONE_OF_THEM],
	yesAndNo: () => ['says both yes and no to one booking', 'leave one of the two'],
	unknownBooking: () => [
		'is unknown, or belongs to another organisation',
		// A service may remove what is over.
		ofWrongBooking('if its work is done, remove the row; '),
	],
	bookingOfOtherFarmer: () => [
		'is the booking of another farmer',
		// A farmer of whom one of the two is the same may have the other one corrected.
		ofWrongBooking('if its name and its phone were corrected, change one of them back; '),
	],
	bookingOfOtherRow: () => [
		'is the booking of another row, with another name',
		ofWrongBooking('if its name was corrected, change it back; '),
	],
	bookingOfRows: (rows: string) => [
		about`is also the Booking ID of ${rows}`,
		ofWrongBooking('delete the row if it is the same job; '),
	],
	bookingOfOtherDay: (day: string, status: string, no: string) => [
		about`is a booking of ${day}, which is ${status}`,
		`if the row is a new job, or is to be booked again, write ${no} in this cell; if not, write the day of that booking into the row`,
	],

	// Row ID
	rowIdOfRows: (rows: string) => [
		about`is also the Row ID of ${rows}`,
		'if it is the same job, delete this row; if not, give each job a Row ID of its own',
	],
	rowIdOfOtherDay: (day: string, booking: string, no: string) => [
		about`was booked for ${day}, as ${booking}`,
		`${ROW_ID_BACK}; if it is the same job, write the day of that booking into the row; if it is another job, ${no}`,
	],
	rowIdOfOtherJob: () => [
		'was booked before, for another farmer or another day',
		`${ROW_ID_BACK}; if it is a new job, give it a Row ID that was never used; if not, change the farmer and the day back`,
	],

	// Questions
	sameJob: (rows: string, differences: string) => [
		about`is the same job as ${rows}, but for ${differences}`,
		`if it is the same job, delete this row; if not, ${BY_PLOT}`,
	],
	mayBeBooked: (what: string, yes: string, no: string, isSheet: boolean) => [
		about`may be booked already: ${what}`,
		`if it is the same job, ${yes}; if it is another job, ${no}${andAgain(isSheet)}`,
	],
	mayBeGivenUp: (what: string, yes: string, no: string, isSheet: boolean) => [
		about`may be booked already: ${what}`,
		`if it is not to be booked again, ${yes}; if it is, or if it is another job, ${no}${andAgain(isSheet)}`,
	],
	mayBeRemembered: (what: string, place: string, no: string, isSheet: boolean) => [
		`may be booked already: ${what}`,
		`ask the operator of the service whether it was booked: if it was, write its Booking ID in ${place}, or remove the row; if it was not, or if the row is another job, ${no}${andAgain(isSheet)}`,
	],
	deniesItself: (booking: string, yes: string, no: string, isSheet: boolean) => [
		about`is said not to be ${booking}, but its cells are those of that booking`,
		`if it is another job, ${no}; if not, ${yes}${andAgain(isSheet)}`,
	],

	// What follows "already booked, but"
	notListed: () => [
		'the booking is not listed yet, or no longer listed, or listed for another name and phone',
		'look for it with Booking > Get Many; if it is not there in an hour, and has to be booked again, write in Plot which field it is, empty the Booking ID, and give the row a new Row ID (if any)',
	],
	onlyFound: ({ no }: Answers) => [
		'its response was lost, and the booking shows only the same farmer and day',
		`if that booking is another job, ${no}, and in Plot which field it is`,
	],
	otherCells: ({ yes, no }: Answers) => [
		'some of its cells had other values then, and the booking was not changed',
		`if the row is that booking, ${yes}; if it is another field, ${no}`,
	],
	severalBookings: ({ yes, no }: Answers) => [
		'n8n made several bookings of its job, and nothing tells which is its own',
		`if it is one of them, ${yes}; if it is another field, ${no}`,
	],
	bookedForOtherCells: ({ no }: Answers) => [
		'n8n booked it for a row with another Row ID or other cells, and the booking was not changed',
		ifOtherJob(no),
	],
	bookingDiffers: (fields: string, { no }: Answers) => [
		`the booking has another ${fields}, which this row does not change`,
		ifOtherJob(no),
	],
	declined: ({ no }: Answers) => ['the booking is declined', `to book the row again, ${no}`],
	unpaired: ({ no }: Answers) => [
		'the booking is unpaired',
		`it may get another tractor: ask the operator of the service; if it does not, and the row is to be booked again, ${no}`,
	],

	// Tractors and services
	fullTractor: (count: string, day: string) => [
		about`already has ${count} on ${day}`,
		'choose another day or tractor',
		'raise Options > Bookings per Tractor and Day',
	],
	fullTractors: (tractors: string, count: string, day: string) => [
		about`has ${tractors}, but each already has ${count} on ${day}`,
		'choose another day or tractor',
		'raise Options > Bookings per Tractor and Day',
	],
	noNumber: (who: string, byId: string) => [
		about`has no number of its own in the details of ${who}`,
		`write the number of the service type${byId && `, and ${byId}`}`,
	],
	severalServices: (services: string) => [
		about`names several services: ${services}`,
		'make a row for each',
	],
	notOffered: (who: string, choices: string, or: string, setting?: string) => [
		about`is not among the services of ${who}: ${choices}`,
		`change the service type${or}`,
		setting,
	],
	noDetails: () => ['has no details in the service', 'check the ID of the tractor'],
	noneNearby: ([fix, setting]: ById) => [
		'has no tractor nearby',
		`check the coordinate${fix && `, or ${fix}`}`,
		setting,
	],
	noneNumbered: (tractors: string, byId: ById) => [
		about`has ${tractors}, but none has a number as its ID`,
		...byId,
	],
	noneNear: (maximum: number, count: number, nearest: string) => [
		about`has no tractor nearby within ${maximum} (the nearest of ${count} has distance ${nearest})`,
		'check the coordinate',
		RAISE_DISTANCE,
	],
	silentTractors: (tractors: string, [fix, setting]: ById) => [
		about`has ${tractors}, but their details name no services`,
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
