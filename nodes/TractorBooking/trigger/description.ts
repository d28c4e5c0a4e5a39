import type { INodeProperties } from 'n8n-workflow';

import { statusOptions } from '../methods/statusOptions';
import { PAGE_SIZE } from '../api/pages/list';
import { FIRST_SEEN } from './settings';

const showOnlyForStatusChanges = { show: { event: ['bookingStatusChanged'] } };
const hideForNewBookings = { hide: { event: ['newBooking'] } };

/** The fields of the trigger node. */
export const triggerFields: INodeProperties[] = [
	{
		displayName: 'Trigger On',
		name: 'event',
		type: 'options',
		noDataExpression: true,
		options: [
			{
				name: 'Booking Completed',
				value: 'bookingCompleted',
				description: 'When a booking is completed',
			},
			{
				name: 'Booking Status Changed',
				value: 'bookingStatusChanged',
				description: 'When a booking changes from one status to another',
			},
			{
				name: 'New Booking',
				value: 'newBooking',
				description: 'When a booking appears in the list',
			},
		],
		default: 'bookingCompleted',
		description: 'The event that starts the workflow',
	},
	{
		displayName: 'From Statuses',
		name: 'from',
		type: 'multiOptions',
		options: [{ name: 'None (First Seen)', value: FIRST_SEEN }, ...statusOptions],
		displayOptions: showOnlyForStatusChanges,
		default: [],
		description:
			'Only changes from one of these statuses. Leave empty for any status. None (First Seen) means a booking that the trigger has not seen before.',
	},
	{
		displayName: 'To Statuses',
		name: 'to',
		type: 'multiOptions',
		options: statusOptions,
		displayOptions: showOnlyForStatusChanges,
		default: [],
		description: 'Only changes to one of these statuses. Leave empty for any status.',
	},
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
		displayOptions: hideForNewBookings,
		default: 'all',
		description: 'Which bookings to watch',
	},
	{
		displayName: 'Booking IDs',
		name: 'bookingIds',
		type: 'string',
		required: true,
		displayOptions: { show: { bookings: ['chosen'] }, ...hideForNewBookings },
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
				displayName: 'Treat "To Completed" as Completed',
				name: 'treatToCompletedAsCompleted',
				type: 'boolean',
				displayOptions: { show: { '/event': ['bookingCompleted'] } },
				default: false,
				description:
					'Whether a booking counts as completed as soon as the tractor owner marks it as complete (status 20). The workflow then starts once per booking, at whichever of the two statuses comes first.',
			},
			{
				displayName: 'Emit Existing Matches on First Poll',
				name: 'emitExisting',
				type: 'boolean',
				default: false,
				description:
					'Whether to start the workflow for each booking that already matches when the trigger first reads the bookings: when the workflow is published, and again after the credential or what the trigger watches is changed',
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
				displayName: 'Skip Completed and Declined Bookings',
				name: 'skipFinished',
				type: 'boolean',
				displayOptions: { show: { '/bookings': ['chosen'] } },
				default: false,
				description: 'Whether to stop reading a booking once it is completed or declined',
			},
		],
	},
];
