import { about, sentencesOf, type Invalid } from './issue';

const WRITE_A_DATE = 'write it as YYYY-MM-DD, such as 2026-12-31';
const WRITE_A_PHONE = 'write one number as text in international form, such as +2348031234567';

/** How a file keeps its letters. */
const SAVE_AS =
	'export the data as .xlsx, or save its CSV file as UTF-8, and open that in Excel by Data > From Text/CSV';

/** Why a farmer may get no SMS. */
export const SMS_DOUBTS = {
	noCountry:
		'the phone has no country code, so an SMS may not arrive: write it with + and its country code, or choose a Phone Country',
	notMobile: 'the phone is not a known mobile number, so an SMS may not arrive: check its digits',
};

/** What may be wrong with a value, whether it is a cell or a field of the node. */
export const invalid = sentencesOf({
	// Values of the node: an expression may have returned anything.
	switch: () => ['is neither on nor off', 'let its expression return true or false'],
	choice: (choices: string) => [
		'is not one of its choices',
		`let its expression return ${choices}`,
	],
	choices: (choices: string) => [
		'is not a list of its choices',
		`let its expression return some of ${choices}`,
	],
	country: () => [
		'is not the code of a country',
		'choose a country, or let its expression return a code such as KE, or none',
	],
	status: (statuses: string) => ['is not a status', `choose among ${statuses}`],
	partOfName: () => ['is not a name', 'enter a name, or part of it'],
	noIdentifier: () => ['holds no ID', 'enter at least one, e.g. 1042'],
	severalIdentifiers: () => ['holds more than one ID', 'enter one only'],

	noPlaceYet: () => [
		'have no value yet, so the node does not know where to look for tractors',
		'enter them, execute the previous nodes, or choose anything but From List',
	],
	noServices: (whose: string) => [
		`cannot be listed: the details of ${whose} name no services with a number`,
		'choose By Number or Name, and ask the operator of the service for the number',
	],

	// Cells, and fields of the node.
	text: () => ['is not text', 'write text or a number'],
	tooLong: (most: number) => [`is longer than ${most} characters`, 'shorten it'],
	object: () => ['is not text but an object', 'map the column of one of its values'],
	lostLetters: () => ['has lost letters', SAVE_AS],
	wrongEncoding: (original: string) => [about`is ${original} in a wrong encoding`, SAVE_AS],
	formulaFailed: () => ['is a spreadsheet error', 'fix the formula, or type the value'],
	name: () => ['is not a name', 'write the name of the farmer, and nothing else'],
	crops: () => ['is not a list of crops', 'separate crops by commas, such as maize, beans'],
	severalServices: () => [
		'names several services',
		'write the one that is meant; if all are, make a row for each',
	],

	integer: (least: number, fix: string) => [
		`is not a whole number${least > -Infinity ? ` from ${least} up` : ''}`,
		fix,
	],

	areaUnit: () => [
		'is not a unit that the service accepts',
		'convert the area to ha (hectares) or ac (acres)',
	],
	hugeArea: (area: string, most: number) => [
		about`is ${area}, more than ${most} hectares`,
		'check the decimal separator and the unit',
	],
	decimalsOrThousands: () => [
		'may have decimals or thousands',
		'write it with fewer decimals or without a separator',
		'make a number of it with an Edit Fields node',
	],
	area: () => [
		'cannot be read as a number above zero',
		'write a number and its unit alone, such as 2.5 ha',
	],
	afterArea: (words: string) => [
		about`has "${words}" after the number`,
		'write ha or ac alone; convert other units',
	],

	coordinate: () => ['is not a coordinate', 'write decimal degrees, such as 6.5244'],
	coordinateLetter: (positive: string, negative: string) => [
		'has a wrong letter or sign',
		`write ${positive} or ${negative}, and no minus`,
	],
	beyondPole: (from: string, to: string) => [
		`is not between ${from} and ${to}`,
		'check the decimal point, and that latitude and longitude are not swapped',
	],
	position: () => [
		'is not a latitude and a longitude',
		'write both in degrees with decimals, such as 6.5244, 3.3792',
	],
	latitudeOf: ({ problem, fix }: Invalid) => [
		`has a latitude that ${problem}`,
		`${fix}; write it first`,
	],
	longitudeOf: ({ problem, fix }: Invalid) => [`has a longitude that ${problem}`, fix],

	date: () => ['is not a date', WRITE_A_DATE],
	dateNumber: () => ['is neither a date nor an Excel date number', WRITE_A_DATE],
	century: () => ['is not in the years 2000 to 2099', 'check the year'],
	instant: () => ['is not a date and time', 'write it as 2026-12-31T08:00:00, or with an offset'],
	weekday: (day: string) => [
		about`has a weekday that does not match ${day}`,
		'correct one of them',
	],
	noSuchDay: () => ['does not exist in the calendar', WRITE_A_DATE],
	twoDigitYear: (setting?: string) => [
		'has a two-digit year, so its order is unclear',
		'write it as YYYY-MM-DD',
		setting,
	],
	dateOrder: (setting?: string) => [
		'may be day/month or month/day',
		'write it as YYYY-MM-DD',
		setting,
	],
	mixedOrders: (seen: string) => [
		about`may be day/month or month/day; ${seen}`,
		'write it as YYYY-MM-DD',
	],
	otherTimezone: (day: string, timezone: string, other: string, isFullHour: boolean) => [
		about`is ${day} in ${timezone}, or ${other} in another timezone`,
		'write it as YYYY-MM-DD',
		isFullHour ? "set the workflow's timezone in its settings" : undefined,
	],
	swapped: (day: string, seen: string) => [
		about`may be ${day}: the spreadsheet left other dates as text, so it may have swapped day and month`,
		`format the column as text, and type it again as YYYY-MM-DD; ${seen}`,
	],

	phone: () => ['is not a phone number', WRITE_A_PHONE],
	phoneLength: () => ['has too few or too many digits', WRITE_A_PHONE],
	phonePlaceholder: () => ['is only a placeholder', WRITE_A_PHONE],
	lostDigits: () => ['may have lost digits', 'format the column as text and type the number again'],
	phoneOfNoCountry: () => ['is not a phone number of any country', WRITE_A_PHONE],
	phoneOf: (country: string, example: string) => [
		`is not a phone number of ${country}`,
		`check its digits: it should look like ${example}; a foreign number needs its plus`,
	],
	twoPhones: (one: string, other: string) => [
		about`may mean ${one} or ${other}`,
		'write it with plus and country code',
	],
});
