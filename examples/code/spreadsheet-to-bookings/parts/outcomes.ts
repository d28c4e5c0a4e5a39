import type { Result } from '../../../../nodes/TractorBooking/resources/booking/create/row/results';
import { capitalized } from '../../../../nodes/TractorBooking/utils/text';
import { isDenial } from '../../denial';
import { apart, dayOf } from '../../html';
import { clean } from '../../label';
import { serviceKey, type Answers } from './answers';
import { whyOut } from './check';
import { short } from './form';
import type { Outcome, Row, Summary } from './step';
import { columnIn, requestsBy } from './tabs';

/** A row of the sheet with what becomes of it, and its cells as a person wants to see them. */
export interface Shown {
	row: Row;
	number: number;
	result: Result | 'left out';
	reason: string;
	toDo: string;
	/** Why it was left out, to be counted. */
	leftFor: string;
	bookingID: unknown;
	possibleBookingIDs: unknown;
	status: unknown;
	farmer: string;
	/** Row, farmer, day, job and tractor. */
	job: unknown[];
	/** The day of the request, if it has one. */
	serviceDate?: string;
	/** Whether it is booked, but there is something left to do: its booking may have been declined, or be for another day. */
	isOpen: boolean;
	/** Whether it asks for anything: a line below the list, such as a sum, does not. */
	isRequest: boolean;
}

/** What a person reads of a row: why, and what to do. */
export const bothOf = ({ reason, toDo }: Shown): string =>
	[reason, toDo].filter(Boolean).join(/[.:]$/.test(reason) ? ' ' : '. ');

export const JOB = ['Row', 'Farmer', 'Day', 'Job', 'Tractor'];

/** The fields that a booking need not have, as a person wants to see them. */
const OTHERS = ['Crop', 'Crops', 'Custom Crop', 'Farm Location', 'Farm Note'];

/** @param service as the tractor offers it, else as it is in the sheet: `Ploughing (3)` */
const jobOf = (service: string, { landArea, areaType }: Outcome['request'] & {}) =>
	[service, landArea && `${landArea} ${areaType ?? ''}`].filter(Boolean).join(', ');

/** Where the farm is, within ten metres. */
const placeOf = ({ latitude, longitude }: Outcome['request'] & {}) =>
	latitude === undefined || longitude === undefined
		? ''
		: `${latitude.toFixed(4)}, ${longitude.toFixed(4)}`;

/** What an officer can do about a row: nothing in the settings of the node. What it may be is asked by a page. */
function toDoFor(
	own: Outcome | undefined,
	read: Outcome | undefined,
	issues: Summary['issues'],
	contact: string,
): string {
	// What was not found before the rows were sent, no page asks about.
	const isAsked = own?.result === 'possible duplicate' && read?.result === own.result;
	// A row with another result may have what an earlier run named, and says itself what is to be done.
	const isBooked = own?.result === 'already booked';
	if (isAsked || (isBooked && clean(own.possibleBookingIDs) !== ''))
		return 'Upload the sheet again, and answer all questions: a page asks about this row';
	// What was found before the rows were sent says nothing of a row that was held back, or refused.
	const isOfCheck = isBooked || own?.result === 'to fix';
	const ofRow = issues.filter(({ row }) => isOfCheck && row === own?.row_number);
	// With several, each says of which field it is.
	const fixes = ofRow.map(({ field, fix, setting }) => {
		const said = fix || `ask ${contact}${setting ? `: ${setting}` : ''}`;
		return (ofRow.length > 1 && field ? `${field}: ` : '') + said;
	});
	return fixes.length === 0 ? (own?.toDo ?? '') : capitalized(fixes.join('; '));
}

/**
 * All rows of the sheet in their order.
 *
 * @param sameAs rows that are the same as another one, with its number
 * @param given what the node gave last
 * @param checked the same with Dry Run: these have the requests
 * @param contact whom officers ask
 */
export function outcomesOf(
	sheet: readonly Row[],
	sameAs: ReadonlyMap<number, number>,
	given: readonly Outcome[],
	checked: readonly Outcome[],
	answers: Answers,
	{ columns, issues }: Summary,
	contact: string,
): Shown[] {
	/** The rows whose services are said to be none of those that are offered. */
	const nones = new Map(
		issues
			.filter(({ code, value = '' }) => code === 'notOffered' && answers[serviceKey(value)] === '')
			.map(({ row, column, field, value }) => [row, `${column ?? field} is ${clean(value)}`]),
	);
	const results = new Map(
		given.filter((row) => !nones.has(row.row_number)).map((row) => [row.row_number, row]),
	);
	const asked = new Map(checked.map((row) => [row.row_number, row]));
	const isRequest = requestsBy(columns);
	return sheet.map((row): Shown => {
		const number = row.row_number;
		const own = results.get(number);
		const read = asked.get(number);
		const request = read?.request ?? {};
		const cell = (label: string) => {
			const column = columnIn(columns, label);
			return column === undefined ? '' : clean(row[column]);
		};
		const farmer =
			request.farmerName ||
			cell('Farmer Name') ||
			`${cell('First Name')} ${cell('Last Name')}`.trim();
		const same = sameAs.get(number);
		const why = whyOut(row, answers) ?? nones.get(number) ?? '';
		const id = clean(row.bookingID);
		const isBooked = why !== '' && id !== '' && !isDenial(id);
		const stays = `; booking ${id} stays, unless the operator of the service cancels it`;
		const leftFor = same ? 'typed twice' : why + (isBooked ? stays : '');
		const result = own?.result ?? 'left out';
		const reason = own?.reason ?? (same ? `the same as row ${same}` : leftFor);
		const toDo = toDoFor(own, read, issues, contact);
		// Of a request, what is sent: dashes are not, and a form may have no column for crops but those of its choices.
		const { crop, crops = [], custom_crop, farmLocation, farmNote } = request;
		const others = read?.request
			? [crop, ...crops, custom_crop, farmLocation, farmNote]
			: OTHERS.map(cell);
		return {
			...{ row, number, result, reason, toDo, leftFor, farmer, serviceDate: request.serviceDate },
			bookingID: (own ?? row).bookingID,
			possibleBookingIDs: (own ?? row).possibleBookingIDs,
			status: own?.bookingStatusLabel,
			isOpen: result === 'already booked' && toDo !== '',
			// A row that is no request has nothing to do.
			isRequest: own ? own.result !== 'not sent' || toDo !== '' : isRequest(row),
			job: [
				number,
				`${farmer} ${apart(request.farmerPhone ?? '')}`,
				request.serviceDate ? dayOf(request.serviceDate) : '',
				[
					jobOf(own?.bookedService ?? cell('Service Type'), request),
					cell('Plot'),
					...others.map((other) => short(other ?? '')),
					placeOf(request),
				]
					.filter(Boolean)
					.join(', '),
				own?.bookedTractorId ?? request.tractorId ?? '',
			],
		};
	});
}
