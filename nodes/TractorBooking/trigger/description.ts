import type { INodeProperties } from 'n8n-workflow';

import { PAGE_SIZE } from '../api/pages/fetch';
import { choice, field, toggle } from '../methods/fields';
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
		...choice(
			'Trigger On',
			'event',
			'The event that starts the workflow',
			'bookingCompleted',
			EVENT_LIST.map(([value, { name, description }]) => [name, value, description]),
		),
		noDataExpression: true,
	},
	...EVENT_LIST.flatMap(([value, { fields }]) =>
		fields.map((own) => ({ ...own, displayOptions: { show: { event: [value] } } })),
	),
	{
		...choice('Bookings', 'bookings', 'Which bookings to watch', 'all', [
			['All', 'all', 'All bookings of your organisation'],
			['Specific IDs', 'chosen', 'Only the bookings with these IDs, each read on its own'],
		]),
		displayOptions: { show: showWithIds },
	},
	field(
		'Booking IDs',
		'bookingIds',
		'string',
		'',
		'Comma-separated IDs, or an expression that returns a list. Each poll sends one request per ID.',
		{
			required: true,
			displayOptions: { show: { bookings: ['chosen'], ...showWithIds } },
			placeholder: 'e.g. 1042, 1043',
		},
	),
	{
		displayName: 'Options',
		name: 'options',
		type: 'collection',
		placeholder: 'Add option',
		default: {},
		options: [
			toggle(
				'Emit Existing Matches on First Poll',
				'emitExisting',
				'Whether to start the workflow also for each booking that matches already when the trigger first reads it: when the workflow is published, or after another credential was chosen',
			),
			field(
				'Page Size',
				'pageSize',
				'number',
				PAGE_SIZE,
				'How many bookings to request per page. The service may return fewer.',
				{
					typeOptions: { minValue: 1 },
					displayOptions: { hide: { '/bookings': ['chosen'] } },
				},
			),
			toggle(
				'Repeat Recent Events After a Restart',
				'repeatAfterRestart',
				'Whether to emit the events of the last 15 minutes again after n8n was restarted, since an execution may have died with it. They have the same eventId, and isRepeat is true: turn this on only if the workflow drops repeats.',
			),
			{
				...toggle(
					'Skip Completed and Declined Bookings',
					'skipFinished',
					'Whether to stop reading a booking once it is completed or declined',
				),
				displayOptions: { show: { '/bookings': ['chosen'] } },
			},
			{
				...toggle(
					'Treat "To Completed" as Completed',
					'treatToCompletedAsCompleted',
					'Whether a booking counts as completed as soon as the tractor owner marks it as complete (status 20). Booking Completed then happens once per booking, at whichever of the two statuses comes first.',
				),
				displayOptions: {
					show: { '/event': eventsWith(({ knowsToCompleted }) => knowsToCompleted) },
				},
			},
		],
	},
];
