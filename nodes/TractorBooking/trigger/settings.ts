import type { IDataObject, INode, IPollFunctions } from 'n8n-workflow';
import { NodeOperationError } from 'n8n-workflow';

import { parseBaseUrl, parseSecret } from '../api/credential';
import { CREDENTIAL_TYPES } from '../api/client';
import { PAGE_SIZE } from '../api/pages/fetch';
import { parseSwitch } from '../parse/choices';
import { unwrap } from '../parse/issue';
import { EVENTS, watchFor, type EventName, type Watch } from './events';
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
	const options = context.getNodeParameter('options', {}) as IDataObject;
	const events = getEvents(context.getNode(), context.getNodeParameter('events'));
	const simplify = context.getNodeParameter('simplify', true);
	const timezone = context.getTimezone();
	const field = (name: string) => context.getNodeParameter(name, undefined);
	const { baseUrl, apiKey } = await context.getCredentials(CREDENTIAL_TYPES.apiKey);
	const credentialId = context.getNode().credentials?.[CREDENTIAL_TYPES.apiKey]?.id ?? '';
	const account = fingerprint(`${credentialId}\n${parseBaseUrl(baseUrl)}`, 16);
	return {
		watches: events.map((event) => watchFor(event, { field, options, timezone })),
		isSimplified: unwrap(parseSwitch(simplify), 'Simplify', simplify),
		timezone,
		identity: {
			account,
			// So short that no key can be found from it.
			key: fingerprint(`${account}\n${parseSecret(apiKey)}`, 6),
			events,
		},
		repeatsAfterRestart: options.repeatAfterRestart === true,
		pageSize: PAGE_SIZE,
	};
}
