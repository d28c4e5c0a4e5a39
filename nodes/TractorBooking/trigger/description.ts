import type { INodeProperties } from 'n8n-workflow';

import { collection, simplify, toggle } from '../methods/fields';
import { EVENT_LIST } from './events';

export const triggerFields: INodeProperties[] = [
	{
		displayName:
			'Existing bookings start nothing. Each later event starts the workflow once; after a crash of n8n it can come again, with the same <code>eventId</code>. If a repeat would do harm, add a Remove Duplicates node (<b>Remove Items Processed in Previous Executions</b>) on <code>eventId</code>. A test event is a real booking: messages to its phone reach the farmer.',
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
	collection('Options', 'options', 'Add option', [
		toggle(
			'Repeat Events After Restart',
			'repeatAfterRestart',
			"Whether to emit the last day's events again after a restart, as their executions may be lost: with the same eventId, and isRepeat true. Only for workflows that drop repeats.",
		),
		toggle(
			'Treat "To Completed" as Completed',
			'treatToCompletedAsCompleted',
			'Whether status 20, set by the tractor owner, counts as completed: Booking Completed then happens at the first of the two statuses, and the booking is never overdue',
		),
	]),
];
