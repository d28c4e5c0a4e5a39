import type { IDataObject, INodeProperties } from 'n8n-workflow';

import { field } from '../methods/fields';
import { statusOptions } from '../methods/statusOptions';
import { invalid, unwrap } from '../parse/issue';
import { parseInteger } from '../parse/numbers';
import { dateOrderOf, recordDateParser } from '../parse/recordDate';
import { COMPLETED, isFinal, TO_COMPLETED } from '../api/status';
import { isEmpty } from '../utils/text';
import type { Status } from './bookings';
import { dayOf, toStatus } from './bookings';

/** A booking as a poll sees it, compared with what was known of it. */
export interface Sighting {
	booking: IDataObject;
	status: Status;
	/** The status before; undefined if none was seen. */
	previous: Status | undefined;
	/** Whether the booking has entered the status since it was last seen. */
	isChanged: boolean;
	/** Whether the booking was not seen before. */
	isNew: boolean;
	/** Whether the booking was already like this when the trigger began. */
	isOld: boolean;
	/** Events that this booking had, by the name in `once`. */
	had: readonly string[];
	/** Day of the poll, counted from 1970, in the workflow's timezone. */
	today: number;
	/** The day on which the event was chosen. */
	sinceDay: number;
}

/**
 * Whether a booking is an event; `old` if it already was when the trigger began, `unreadable` if what the event depends
 * on cannot be read.
 */
export type Verdict = boolean | 'old' | 'unreadable';

/** An event with its settings. */
export interface Watch {
	event: string;
	/** The name under which it is noted that a booking had the event, if it has it once in its life. */
	once?: string;
	/** Learns from the bookings of a poll, before it is asked for any of them, how the service writes its dates. */
	learn?(bookings: IDataObject[]): void;
	match(sighting: Sighting): Verdict;
	/** The event's part of its ID; `changes` counts the changes of the booking that were events. */
	id(status: Status, changes: number): string;
}

/** Whether a booking would be the event if it had just come from the status `previous`, whatever is known of it. */
export function wouldMatch(
	watch: Watch,
	shown: Pick<Sighting, 'booking' | 'status' | 'previous' | 'today'>,
): boolean {
	const seen = { ...shown, isChanged: true, isNew: true, isOld: false, had: [], sinceDay: 0 };
	return watch.match(seen) === true;
}

/** What an event needs of the node's parameters. */
export interface Parameters {
	/** A field by its name. */
	field: (name: string) => unknown;
	options: IDataObject;
	/** The workflow's timezone, an IANA name. */
	timezone: string;
}

/** An event that a user can choose. */
interface TriggerEvent {
	/** The option of the field Trigger On. */
	name: string;
	description: string;
	/** What the node shows beneath its name. */
	subtitle: string;
	/** Whether the event can be watched for specific bookings only. */
	hasSpecificIds: boolean;
	/** Fields of its own; shown for it alone. */
	fields: INodeProperties[];
	/** Whether the option Treat "To Completed" as Completed applies to it. */
	knowsToCompleted: boolean;
	/** @throws InvalidInputError for a field */
	watch(parameters: Parameters): Omit<Watch, 'event'>;
}

/** Value of the option "None (First Seen)" of From Statuses. */
const FIRST_SEEN = 'firstSeen';

/** Different service dates from which it is judged whether the service writes day or month first. */
const MAX_DATES = 100;

/** The values of a multi-select field; an expression may return one value, or comma-separated text. */
function valuesOf(value: unknown): unknown[] {
	if (Array.isArray(value)) return value;
	if (typeof value === 'string') return value.split(',').filter((part) => part.trim() !== '');
	return value === undefined || value === null ? [] : [value];
}

/** The statuses that count as completed. */
function completedStatuses({ options }: Parameters): ReadonlySet<Status> {
	const isToCompletedIn = options.treatToCompletedAsCompleted === true;
	return new Set(isToCompletedIn ? [COMPLETED, TO_COMPLETED] : [COMPLETED]);
}

function daysOf(value: unknown): number {
	const days = parseInteger(value);
	const refusal = invalid('is not a number of days', 'enter a whole number, 0 or more');
	return unwrap(days.ok && days.value >= 0 ? days : refusal, 'Days After Service Date', value);
}

/** A match of an event that depends on what has changed. */
function found({ isOld }: Sighting): Verdict {
	return isOld ? 'old' : true;
}

/** The events, by the value of the field Trigger On. Nothing else in the code knows one of them. */
export const EVENTS = {
	bookingCompleted: {
		name: 'Booking Completed',
		description: 'When a booking is completed for the first time',
		subtitle: 'completed',
		hasSpecificIds: true,
		fields: [],
		knowsToCompleted: true,
		watch(parameters) {
			const completed = completedStatuses(parameters);
			return {
				once: 'completed',
				match(sighting) {
					const { status, isChanged, had } = sighting;
					if (had.includes('completed') || !completed.has(status)) return false;
					return isChanged && found(sighting);
				},
				id: () => 'completed',
			};
		},
	},
	bookingOverdue: {
		name: 'Booking Overdue',
		description:
			'When a booking is neither completed nor declined some days after its service date',
		subtitle: 'overdue',
		hasSpecificIds: true,
		fields: [
			field(
				'Days After Service Date',
				'overdueDays',
				'number',
				1,
				'A booking is overdue if it is still open so many days after its service date',
				{ typeOptions: { minValue: 0 } },
			),
		],
		knowsToCompleted: true,
		watch(parameters) {
			const completed = completedStatuses(parameters);
			const isOpen = (status: Status) => !completed.has(status) && !isFinal(status);
			const days = daysOf(parameters.field('overdueDays'));
			const { timezone } = parameters;
			let parse = recordDateParser({ timezone });
			return {
				once: 'overdue',
				learn(bookings) {
					const values = bookings.map(({ serviceDate }) => serviceDate);
					const dates = new Set(values.filter((value) => !isEmpty(value)));
					const some = new Set([...dates].slice(0, MAX_DATES));
					parse = recordDateParser({ timezone, dateOrder: dateOrderOf(some, timezone) });
				},
				match({ booking, status, previous, isChanged, isNew, isOld, had, today, sinceDay }) {
					const date = parse(booking.serviceDate);
					if (status === null || !isOpen(status) || had.includes('overdue')) return false;
					if (!date.ok) return 'unreadable';
					const dueDay = dayOf(Date.parse(date.value)) + days;
					if (dueDay > today) return false;
					if (isNew) return isOld ? 'old' : true;
					const isReopened = isChanged && previous !== undefined && !isOpen(previous);
					return dueDay > sinceDay || isReopened || 'old';
				},
				id: () => 'overdue',
			};
		},
	},
	bookingStatusChanged: {
		name: 'Booking Status Changed',
		description: 'When a booking changes from one status to another',
		subtitle: 'status changed',
		hasSpecificIds: true,
		fields: [
			field(
				'From Statuses',
				'from',
				'multiOptions',
				[],
				'Only changes from one of these statuses. Leave empty for any status. None (First Seen) means a booking that the trigger has not seen before.',
				{ options: [{ name: 'None (First Seen)', value: FIRST_SEEN }, ...statusOptions] },
			),
			field(
				'To Statuses',
				'to',
				'multiOptions',
				[],
				'Only changes to one of these statuses. Leave empty for any status.',
				{ options: statusOptions },
			),
		],
		knowsToCompleted: false,
		watch(parameters) {
			const from = new Set(
				valuesOf(parameters.field('from')).map((value) =>
					value === FIRST_SEEN ? undefined : toStatus(value),
				),
			);
			const to = new Set(valuesOf(parameters.field('to')).map(toStatus));
			return {
				match(sighting) {
					const { status, previous, isChanged } = sighting;
					const isFrom = from.size === 0 || from.has(previous);
					return isChanged && isFrom && (to.size === 0 || to.has(status)) && found(sighting);
				},
				id: (status, changes) => `status-${encodeURIComponent(String(status ?? ''))}:${changes}`,
			};
		},
	},
	newBooking: {
		name: 'New Booking',
		description: 'When a booking appears in the list',
		subtitle: 'new booking',
		hasSpecificIds: false,
		fields: [],
		knowsToCompleted: false,
		watch: () => ({
			match: (sighting) => sighting.isNew && found(sighting),
			id: () => 'new',
		}),
	},
} satisfies Record<string, TriggerEvent>;

/** A value of the field Trigger On. */
export type EventName = keyof typeof EVENTS;

/** The events with their names, in the order of the field Trigger On. */
export const EVENT_LIST: ReadonlyArray<[EventName, TriggerEvent]> = Object.entries(EVENTS) as Array<
	[EventName, TriggerEvent]
>;

/** The event of a value, with its settings. */
export function watchFor(event: EventName, parameters: Parameters): Watch {
	return { event, ...EVENTS[event].watch(parameters) };
}
