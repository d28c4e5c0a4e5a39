import type { IDataObject, INode, IPollFunctions } from 'n8n-workflow';
import { NodeOperationError } from 'n8n-workflow';

import { parseBaseUrl, parseSecret } from '../api/credential';
import { CREDENTIAL_TYPES } from '../api/client';
import { PAGE_SIZE } from '../api/pages/fetch';
import { switchOf } from '../parse/choices';
import { EVENTS, watchFor, type EventName, type Parameters, type Watch } from './events';
import { fingerprint, type Identity } from './state';

export interface Settings {
	identity: Identity;
	watches: readonly Watch[];
	repeatsAfterRestart: boolean;
	isSimplified: boolean;
	timezone: string;
	pageSize: number;
}

function getEvents(node: INode, value: unknown): EventName[] {
	const isEvent = (event: unknown): event is EventName => Object.hasOwn(EVENTS, String(event));
	const chosen: unknown[] = [value].flat();
	const events = chosen.filter(isEvent);
	if (events.length > 0 && events.length === chosen.length) return [...new Set(events)];
	throw new NodeOperationError(node, 'Trigger On: choose one or more events from the list.');
}

/** @throws NodeOperationError, InvalidInputError for a field, ServiceError (`credential`) */
export async function getTriggerSettings(context: IPollFunctions): Promise<Settings> {
	const { repeatAfterRestart = false, treatToCompletedAsCompleted = false } =
		context.getNodeParameter('options', {}) as IDataObject;
	const events = getEvents(context.getNode(), context.getNodeParameter('events'));
	const timezone = context.getTimezone();
	const parameters: Parameters = {
		field: (name) => context.getNodeParameter(name, undefined),
		countsToCompleted: switchOf(treatToCompletedAsCompleted, 'Treat "To Completed" as Completed'),
		timezone,
	};
	const { baseUrl, apiKey } = await context.getCredentials(CREDENTIAL_TYPES.apiKey);
	const credentialId = context.getNode().credentials?.[CREDENTIAL_TYPES.apiKey]?.id ?? '';
	const account = fingerprint(`${credentialId}\n${parseBaseUrl(baseUrl)}`, 16);
	return {
		watches: events.map((event) => watchFor(event, parameters)),
		isSimplified: switchOf(context.getNodeParameter('simplify', true), 'Simplify'),
		timezone,
		identity: {
			account,
			// So short that no key can be found from it.
			key: fingerprint(`${account}\n${parseSecret(apiKey)}`, 6),
		},
		repeatsAfterRestart: switchOf(repeatAfterRestart, 'Repeat Events After Restart'),
		pageSize: PAGE_SIZE,
	};
}
