import type { INodeProperties } from 'n8n-workflow';

import { simplify, toggle } from '../methods/fields';
import { EVENT_LIST } from './events';

/** What the node shows beneath its name. */
export const subtitle = `={{ $parameter["events"].map((event) => (${JSON.stringify(
	Object.fromEntries(EVENT_LIST.map(([value, event]) => [value, event.name])),
)})[event]).join(", ") }}`;

export const triggerFields: INodeProperties[] = [
	{
		displayName:
			'Existing bookings start nothing. Each later event starts the workflow once; after a crash of n8n it can come again, with the same <code>eventId</code>. If a repeat would do harm, add a Remove Duplicates node (<b>Remove Items Processed in Previous Executions</b>) on <code>eventId</code>. A test event is a real booking: a message sent to its phone number reaches the farmer.',
		name: 'notice',
		type: 'notice',
		default: '',
	},
	{
		displayName: 'Trigger On',
		name: 'events',
		type: 'multiOptions',
		default: ['bookingCompleted'],
		required: true,
		noDataExpression: true,
		options: EVENT_LIST.map(([value, { name, description }]) => ({ name, value, description })),
	},
	...EVENT_LIST.flatMap(([value, { fields = [] }]) =>
		fields.map((own) => ({ ...own, displayOptions: { show: { events: [value] } } })),
	),
	simplify,
	{
		displayName: 'Options',
		name: 'options',
		type: 'collection',
		placeholder: 'Add option',
		default: {},
		options: [
			toggle(
				'Repeat Events After Restart',
				'repeatAfterRestart',
				'Whether to emit the events of the last day again after n8n was restarted, since their executions may have died with it. They have the same eventId, and isRepeat is true. Turn this on only if the workflow drops repeats.',
			),
			toggle(
				'Treat "To Completed" as Completed',
				'treatToCompletedAsCompleted',
				'Whether a booking counts as completed as soon as the tractor owner marks it as complete (status 20). Booking Completed then happens at the first of the two statuses, and a marked booking is never overdue.',
			),
		],
	},
];
