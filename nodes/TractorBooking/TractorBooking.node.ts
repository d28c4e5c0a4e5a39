import type {
	IExecuteFunctions,
	INodeExecutionData,
	INodeType,
	INodeTypeDescription,
} from 'n8n-workflow';
import { NodeConnectionTypes } from 'n8n-workflow';

import { testApiKey, testBearerToken } from './methods/credentialTest';
import { listSearch } from './methods/listSearch';
import { operationFields, runOperation } from './resources';

/** The action node; its operations are in `resources/`. */
export class TractorBooking implements INodeType {
	description: INodeTypeDescription = {
		displayName: 'Tractor Booking',
		name: 'tractorBooking',
		icon: {
			light: 'file:../../icons/tractorBooking.svg',
			dark: 'file:../../icons/tractorBooking.dark.svg',
		},
		group: ['transform'],
		version: 1,
		// In words: `create from spreadsheet: booking`.
		subtitle:
			'={{ $parameter["operation"].replace("All", "Many").replace(/[A-Z]/g, " $&").toLowerCase() + ": " + $parameter["resource"] }}',
		description:
			'Book tractors for farmers, one by one or from a spreadsheet, and look up tractors and bookings',
		defaults: { name: 'Tractor Booking' },
		usableAsTool: true,
		builderHint: {
			searchHint:
				'Create and Create From Spreadsheet book real tractors; all other operations only read. If an AI agent uses Create, have a person approve each call.',
		},
		inputs: [NodeConnectionTypes.Main],
		outputs: [NodeConnectionTypes.Main],
		// Only `hide`: if a credential depends on a field by `show`, n8n's editor moves that field, and all that the
		// field depends on (Resource and Operation), out of the parameters panel.
		credentials: [
			{
				name: 'tractorBookingApi',
				required: true,
				testedBy: 'testApiKey',
				displayOptions: { hide: { authentication: ['bearerToken'] } },
			},
			{
				name: 'tractorBookingBearerApi',
				required: true,
				testedBy: 'testBearerToken',
				displayOptions: { hide: { authentication: ['apiKey'], resource: ['booking', 'tractor'] } },
			},
		],
		properties: [
			{
				displayName: 'Resource',
				name: 'resource',
				type: 'options',
				noDataExpression: true,
				options: [
					{ name: 'Booking', value: 'booking' },
					{ name: 'Catalogue', value: 'catalogue' },
					{ name: 'Contract', value: 'contract' },
					{ name: 'Tractor', value: 'tractor' },
				],
				default: 'booking',
			},
			...operationFields,
		],
	};

	methods = { credentialTest: { testApiKey, testBearerToken }, listSearch };

	async execute(this: IExecuteFunctions): Promise<INodeExecutionData[][]> {
		return [await runOperation(this)];
	}
}
