import type { INodeProperties } from 'n8n-workflow';

import { PAGE_SIZE } from '../api/pages/list';
import { EVENT_LIST, type EventName } from './events';

/** The events for which something is so. */
function eventsWith(isSo: (event: (typeof EVENT_LIST)[number][1]) => boolean): EventName[] {
	return EVENT_LIST.filter(([, event]) => isSo(event)).map(([value]) => value);
}

const showWithIds = { event: eventsWith(({ hasSpecificIds }) => hasSpecificIds) };

/** What the node shows beneath its name. */
export const subtitle = `={{ ${JSON.stringify(
	Object.fromEntries(EVENT_LIST.map(([value, event]) => [value, event.subtitle])),
)}[$parameter["event"]] }}`;

/** The fields of the trigger node. */
export const triggerFields: INodeProperties[] = [
	{
		displayName:
			'The first poll only notes what exists. From then on, each event starts the workflow once, at the next poll. After a crash of n8n it may come again, with the same <code>eventId</code>: where a repeat would hurt, put a Remove Duplicates node behind this one. A test runs with one real booking, and sends what the workflow sends.',
		name: 'notice',
		type: 'notice',
		default: '',
	},
	{
		displayName: 'Trigger On',
		name: 'event',
		type: 'options',
		noDataExpression: true,
		options: EVENT_LIST.map(([value, { name, description }]) => ({ name, value, description })),
		default: 'bookingCompleted',
		description: 'The event that starts the workflow',
	},
	...EVENT_LIST.flatMap(([value, { fields }]) =>
		fields.map((field) => ({ ...field, displayOptions: { show: { event: [value] } } })),
	),
	{
		displayName: 'Bookings',
		name: 'bookings',
		type: 'options',
		options: [
			{
				name: 'All',
				value: 'all',
				description: 'All bookings of your organisation',
			},
			{
				name: 'Specific IDs',
				value: 'chosen',
				description: 'Only the bookings with these IDs, each read on its own',
			},
		],
		displayOptions: { show: showWithIds },
		default: 'all',
		description: 'Which bookings to watch',
	},
	{
		displayName: 'Booking IDs',
		name: 'bookingIds',
		type: 'string',
		required: true,
		displayOptions: { show: { bookings: ['chosen'], ...showWithIds } },
		default: '',
		placeholder: 'e.g. 1042, 1043',
		description:
			'Comma-separated IDs, or an expression that returns a list. Each poll sends one request per ID.',
	},
	{
		displayName: 'Options',
		name: 'options',
		type: 'collection',
		placeholder: 'Add option',
		default: {},
		options: [
			{
				displayName: 'Emit Existing Matches on First Poll',
				name: 'emitExisting',
				type: 'boolean',
				default: false,
				description:
					'Whether to start the workflow also for each booking that matches already when the trigger first reads it: when the workflow is published, or after another credential was chosen',
			},
			{
				displayName: 'Page Size',
				name: 'pageSize',
				type: 'number',
				typeOptions: { minValue: 1 },
				displayOptions: { hide: { '/bookings': ['chosen'] } },
				default: PAGE_SIZE,
				description: 'How many bookings to request per page. The service may return fewer.',
			},
			{
				displayName: 'Repeat Recent Events After a Restart',
				name: 'repeatAfterRestart',
				type: 'boolean',
				default: false,
				description:
					'Whether to emit the events of the last 15 minutes again after n8n was restarted, since an execution may have died with it. They have the same eventId, and isRepeat is true: turn this on only if the workflow drops repeats.',
			},
			{
				displayName: 'Skip Completed and Declined Bookings',
				name: 'skipFinished',
				type: 'boolean',
				displayOptions: { show: { '/bookings': ['chosen'] } },
				default: false,
				description: 'Whether to stop reading a booking once it is completed or declined',
			},
			{
				displayName: 'Treat "To Completed" as Completed',
				name: 'treatToCompletedAsCompleted',
				type: 'boolean',
				displayOptions: {
					show: { '/event': eventsWith(({ knowsToCompleted }) => knowsToCompleted) },
				},
				default: false,
				description:
					'Whether a booking counts as completed as soon as the tractor owner marks it as complete (status 20). Booking Completed then happens once per booking, at whichever of the two statuses comes first.',
			},
		],
	},
];
