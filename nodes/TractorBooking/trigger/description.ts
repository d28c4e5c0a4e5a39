import type { INodeProperties } from 'n8n-workflow';

import { statusOptions } from '../methods/statusOptions';
import { PAGE_SIZE } from '../api/pages/pages';
import { FIRST_SEEN } from './settings';

const showOnlyForStatusChanges = { show: { event: ['bookingStatusChanged'] } };
const hideForNewBookings = { hide: { event: ['newBooking'] } };

/** The fields of the trigger node. */
export const triggerFields: INodeProperties[] = [
	{
		displayName: 'Event',
		name: 'event',
		type: 'options',
		noDataExpression: true,
		options: [
			{
				name: 'Booking Completed',
				value: 'bookingCompleted',
				description: 'A booking became completed',
			},
			{
				name: 'Booking Status Changed',
				value: 'bookingStatusChanged',
				description: 'A booking went from one status to another',
			},
			{
				name: 'New Booking',
				value: 'newBooking',
				description: 'A booking appeared in the list',
			},
		],
		default: 'bookingCompleted',
		description: 'What the workflow is started for',
	},
	{
		displayName: 'From Statuses',
		name: 'from',
		type: 'multiOptions',
		options: [{ name: 'None (First Seen)', value: FIRST_SEEN }, ...statusOptions],
		displayOptions: showOnlyForStatusChanges,
		default: [],
		description:
			'Only changes from one of these statuses. Leave empty for any. None (First Seen) stands for a booking that was not known before.',
	},
	{
		displayName: 'To Statuses',
		name: 'to',
		type: 'multiOptions',
		options: statusOptions,
		displayOptions: showOnlyForStatusChanges,
		default: [],
		description: 'Only changes to one of these statuses. Leave empty for any.',
	},
	{
		displayName: 'Bookings',
		name: 'bookings',
		type: 'options',
		options: [
			{
				name: 'All',
				value: 'all',
				description: 'All bookings of the organisation, read from the list',
			},
			{
				name: 'Chosen',
				value: 'chosen',
				description: 'Certain bookings, each read by its ID',
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
			'The IDs as a list or as text separated by commas. Every poll sends one request for each.',
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
					'Whether a booking counts as completed as soon as the tractor owner marks it complete (status 20). It then fires once, at the first of the two signs.',
			},
			{
				displayName: 'Emit Existing Matches on First Poll',
				name: 'emitExisting',
				type: 'boolean',
				default: false,
				description:
					'Whether the first scan starts the workflow for each booking that matches already. The first scan takes place when the workflow is published, and again after the credential or what is watched was changed.',
			},
			{
				displayName: 'Page Size',
				name: 'pageSize',
				type: 'number',
				typeOptions: { minValue: 1 },
				displayOptions: { hide: { '/bookings': ['chosen'] } },
				default: PAGE_SIZE,
				description: 'How many bookings to ask for in one request. The service may return fewer.',
			},
			{
				displayName: 'Skip Completed and Declined Bookings',
				name: 'skipFinished',
				type: 'boolean',
				displayOptions: { show: { '/bookings': ['chosen'] } },
				default: false,
				description: 'Whether a chosen booking is not read again once it is completed or declined',
			},
		],
	},
];
