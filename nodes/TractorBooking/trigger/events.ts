import type { IDataObject, INodeProperties } from 'n8n-workflow';

import { field, statusesOf, statusOptions } from '../methods/fields';
import { unwrap } from '../parse/issue';
import { parseInteger } from '../parse/numbers';
import { COMPLETED, DECLINED, isFinal, TO_COMPLETED } from '../api/status';
import { serviceDayIn } from './bookings';

/** A booking as a poll sees it, compared with what was known of it. */
interface Observation {
	booking: IDataObject;
	status: number;
	/** The status before; undefined if the booking was not seen before. */
	previous: number | undefined;
	/** Day of the poll, counted from 1970, in the workflow's timezone. */
	today: number;
	/** The day on which the event was chosen. */
	sinceDay: number;
}

/** Whether a booking is the event; `unreadable` if what the event depends on cannot be read. */
type Match = (observation: Observation) => boolean | 'unreadable';

export interface Parameters {
	field: (name: string) => unknown;
	/** Whether status 20, set by the tractor's owner, counts as completed. */
	countsToCompleted: boolean;
	/** The workflow's timezone, an IANA name. */
	timezone: string;
}

/** An option of the field Trigger On. */
interface TriggerEvent {
	name: string;
	description: string;
	/** Shown for it alone. */
	fields?: INodeProperties[];
	/** Whether a booking has the event once in its life. */
	isOnce?: boolean;
	/** The event's part of its ID; `change` is the ID of the booking's change. */
	id(status: number, change: string): string;
	/** The status of a booking that has had the event, also while it was not chosen. */
	endsAt?: number;
	/** @throws InvalidInputError for a field */
	watch(parameters: Parameters): Match;
}

/** An event with its settings. */
export interface Watch extends Pick<TriggerEvent, 'isOnce' | 'id'> {
	event: string;
	match: Match;
}

function completedStatuses({ countsToCompleted }: Parameters): readonly number[] {
	return countsToCompleted ? [COMPLETED, TO_COMPLETED] : [COMPLETED];
}

/** A change from one of some statuses to one of others; an empty list stands for any status. */
function statusChange(from: readonly number[], to: readonly number[]): Match {
	return ({ status, previous }) => {
		const isFrom = from.length === 0 || (previous !== undefined && from.includes(previous));
		return status !== previous && isFrom && (to.length === 0 || to.includes(status));
	};
}

/** The events, by the value of the field Trigger On. */
export const EVENTS = {
	bookingCompleted: {
		name: 'Booking Completed',
		description: 'When a booking is completed for the first time',
		isOnce: true,
		id: () => 'completed',
		endsAt: COMPLETED,
		watch: (parameters) => statusChange([], completedStatuses(parameters)),
	},
	bookingDeclined: {
		name: 'Booking Declined',
		description: 'When a booking is declined for the first time',
		isOnce: true,
		id: () => 'declined',
		endsAt: DECLINED,
		watch: () => statusChange([], [DECLINED]),
	},
	bookingOverdue: {
		name: 'Booking Overdue',
		description: 'When a booking is still open some days after its service date',
		fields: [
			field(
				'Days After Service Date',
				'overdueDays',
				'number',
				1,
				'How many days after its service date an open booking becomes overdue',
				{ typeOptions: { minValue: 0 } },
			),
		],
		isOnce: true,
		id: () => 'overdue',
		watch(parameters) {
			const completed = completedStatuses(parameters);
			const isOpen = (status: number) => !completed.includes(status) && !isFinal(status);
			const typed = parameters.field('overdueDays');
			const days = unwrap(parseInteger(typed, 0), 'Days After Service Date', typed);
			const serviceDayOf = serviceDayIn(parameters.timezone);
			return ({ booking, status, previous, today, sinceDay }) => {
				if (!isOpen(status)) return false;
				const serviceDay = serviceDayOf(booking);
				if (serviceDay === undefined) return 'unreadable';
				const dueDay = serviceDay + days;
				if (dueDay > today) return false;
				// A known booking that was overdue already when the event was chosen is no event.
				const isNewlyOpen = previous === undefined || !isOpen(previous);
				return isNewlyOpen || dueDay > sinceDay;
			};
		},
	},
	bookingStatusChanged: {
		name: 'Booking Status Changed',
		description: 'When a booking changes from one status to another',
		fields: [
			field(
				'From Statuses',
				'from',
				'multiOptions',
				[],
				'Only changes from one of these statuses. Leave empty for any status; then new bookings count, too.',
				{ options: statusOptions },
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
		id: (status, change) => `status-${status}:${change}`,
		watch: (parameters) =>
			statusChange(
				statusesOf(parameters.field('from'), 'From Statuses'),
				statusesOf(parameters.field('to'), 'To Statuses'),
			),
	},
	newBooking: {
		name: 'New Booking',
		description: 'When a booking appears in the list',
		id: () => 'new',
		watch:
			() =>
			({ previous }) =>
				previous === undefined,
	},
} satisfies Record<string, TriggerEvent>;

export type EventName = keyof typeof EVENTS;

export const EVENT_LIST = Object.entries(EVENTS) as Array<[EventName, TriggerEvent]>;

/** The events that a booking with this status has had, whatever is chosen: it has them once in its life. */
export function eventsBefore(status: number): string[] {
	return EVENT_LIST.flatMap(([event, { endsAt }]) => (endsAt === status ? [event] : []));
}

export function watchFor(event: EventName, parameters: Parameters): Watch {
	return { ...EVENTS[event], event, match: EVENTS[event].watch(parameters) };
}
