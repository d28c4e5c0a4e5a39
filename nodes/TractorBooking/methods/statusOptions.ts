import type { INodePropertyOptions } from 'n8n-workflow';

import { BOOKING_STATUS_LABELS } from '../api/status';
import { compareNames } from '../utils/text';

function titleOf(label: string): string {
	return label
		.split('_')
		.map((word) => (word === 'to' ? word : word.charAt(0).toUpperCase() + word.slice(1)))
		.join(' ');
}

/** The documented booking statuses as options, e.g. `In Progress` for 6. */
export const statusOptions: INodePropertyOptions[] = [...BOOKING_STATUS_LABELS]
	.map(([value, label]) => ({
		name: label === 'to_completed' ? 'To Completed (Marked by the Owner)' : titleOf(label),
		value,
	}))
	.sort((a, b) => compareNames(a.name, b.name));
