import type { IDataObject, INodeExecutionData, INodeType } from 'n8n-workflow';

import type { Surroundings } from '../task';
import { CREDENTIAL } from './engine';
import { pathOf, type Envelope } from './ownNodes';

const COMPLETED = 3;

/**
 * The trigger as it is written first: all pages one after the other, and the status of every booking in an
 * object in static data.
 */
export function mapInStaticData({ url }: Surroundings): INodeType {
	return {
		description: {
			displayName: 'Map',
			name: 'map',
			group: ['trigger'],
			version: 1,
			description: 'Tells which bookings were completed',
			defaults: { name: 'Map' },
			polling: true,
			inputs: [],
			outputs: ['main'],
			credentials: [{ name: CREDENTIAL }],
			properties: [],
		},
		async poll() {
			const kept = this.getWorkflowStaticData('node');
			const isFirst = kept.statuses === undefined;
			if (isFirst) kept.statuses = {};
			const statuses = kept.statuses as IDataObject;
			const completed: INodeExecutionData[] = [];
			let next: string | null = `${url}${pathOf(1)}`;
			while (next) {
				const page: Envelope = (await this.helpers.httpRequestWithAuthentication.call(
					this,
					CREDENTIAL,
					{ url: next, json: true },
				)) as Envelope;
				for (const booking of page.results) {
					const id = booking.bookingID as number;
					const isCompleted = booking.bookingStatus === COMPLETED;
					if (!isFirst && isCompleted && statuses[id] !== COMPLETED) {
						completed.push({ json: booking });
					}
					statuses[id] = booking.bookingStatus;
				}
				({ next } = page);
			}
			return completed.length > 0 ? [completed] : null;
		},
	};
}
