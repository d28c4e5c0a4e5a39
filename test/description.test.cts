import { readFileSync } from 'node:fs';

import type { INodeCredentialDescription, INodeParameters, INodeProperties } from 'n8n-workflow';
import { NodeHelpers } from 'n8n-workflow';

import { TractorBookingApi } from '../credentials/TractorBookingApi.credentials';
import { TractorBookingBearerApi } from '../credentials/TractorBookingBearerApi.credentials';
import { TractorBooking } from '../nodes/TractorBooking/TractorBooking.node';
import { OPERATIONS } from './support/action.cts';
import { literalChoices } from './support/choices.cts';

const node = new TractorBooking();
const { description } = node;

function isShown(
	parameters: INodeParameters,
	property: INodeProperties | INodeCredentialDescription,
) {
	return NodeHelpers.displayParameter(parameters, property, { typeVersion: 1 }, description);
}

/** The properties that the editor shows, with the values of those that are not given at their defaults. */
function shown(parameters: INodeParameters): INodeProperties[] {
	const values = { ...parameters };
	const found: INodeProperties[] = [];
	for (const property of description.properties) {
		if (!isShown(values, property)) continue;
		found.push(property);
		values[property.name] ??= property.default as never;
	}
	return found;
}

function choicesOf(property: INodeProperties | undefined) {
	return (property?.options ?? []).flatMap((option) => ('value' in option ? [option] : []));
}

function flatten(properties: readonly INodeProperties[]): INodeProperties[] {
	const innerOf = ({ options = [] }: INodeProperties) =>
		options.flatMap((option) => {
			if ('values' in option) return option.values;
			return 'type' in option ? [option] : [];
		});
	return properties.flatMap((property) => [property, ...flatten(innerOf(property))]);
}

const resources = choicesOf(description.properties.find(({ name }) => name === 'resource'));
const operations = resources.flatMap(({ value }) => {
	const resource = String(value);
	const choices = choicesOf(shown({ resource }).find(({ name }) => name === 'operation'));
	return choices.map((operation) => ({ resource, operation: String(operation.value) }));
});

it('offers the operations of the node, and no others', () => {
	const offered = operations.map(({ resource, operation }) => `${resource}:${operation}`);
	expect([...offered].sort()).toEqual([...OPERATIONS].sort());
});

it('names and describes its operations, and README has them by these names', () => {
	const named = resources.flatMap(({ name: resource, value }) => {
		const [choice] = shown({ resource: String(value) }).filter(({ name }) => name === 'operation');
		return choicesOf(choice).map(({ name, description: says }) => ({ resource, name, says }));
	});
	for (const { says } of named) expect(says).toMatch(/^[A-Z]/);
	const rows = readFileSync('README.md', 'utf8').matchAll(/^\| (\w+) > (.+?) \|/gm);
	const inReadme = [...rows].flatMap(([, resource = '', names = '']) =>
		names.split(', ').map((name) => `${resource} > ${name}`),
	);
	expect(inReadme.sort()).toEqual(
		named.map(({ resource, name }) => `${resource} > ${name}`).sort(),
	);
});

it.each(['timeout', 'pageSize', 'authentication'])('takes no expression: %s', (name) => {
	const fields = flatten(description.properties).filter((property) => property.name === name);
	expect(fields.length).toBeGreaterThan(0);
	for (const { noDataExpression } of fields) expect(noDataExpression).toBe(true);
});

it('takes a column that is dragged into Column Mapping by its heading', () => {
	const columns = flatten(description.properties).filter(({ name }) => name === 'column');
	expect(columns.map((column) => column.requiresDataPath)).toEqual(['single']);
});

describe.each(operations)('$resource > $operation', ({ resource, operation }) => {
	it('has the option of a timeout', () => {
		const options = shown({ resource, operation }).filter(({ name }) => name === 'options');
		expect(flatten(options).map(({ name }) => name)).toContain('timeout');
	});

	it('shows no name or label twice, and asks for one credential, whatever is chosen', () => {
		const { credentials = [] } = description;
		for (const values of literalChoices(description, { resource, operation }, {})) {
			for (const part of ['name', 'displayName'] as const) {
				const texts = shown(values).map((field) => field[part]);
				expect(texts).toEqual([...new Set(texts)]);
			}
			const asked = credentials.filter((credential) => isShown(values, credential));
			const isToken = values.authentication === 'bearerToken';
			const wanted = isToken ? 'tractorBookingBearerApi' : 'tractorBookingApi';
			expect(asked.map(({ name }) => name)).toEqual([wanted]);
		}
	});
});

it.each(['create', 'createFromSpreadsheet'])('sends nothing by chance: %s', (operation) => {
	const fields = shown({ resource: 'booking', operation });
	const defaults = Object.fromEntries(fields.map((field) => [field.name, field.default]));
	const wanted = { phoneCountry: '', dateOrder: 'refuse', tractorSelection: 'id', dryRun: false };
	expect(defaults).toMatchObject(wanted);
	expect(Object.keys(defaults).at(-1)).toBe('options');
});

const forModels = ['string', 'number', 'boolean', 'dateTime', 'resourceLocator', 'multiOptions'];

it('can be used as a tool', () => {
	expect(description.usableAsTool).toBe(true);
	const notOffered = flatten(description.properties).filter(
		(property) => forModels.includes(property.type) && !property.description,
	);
	expect(notOffered.map(({ name }) => name)).toEqual([]);
});

it('tells a model that Create books for real', () => {
	const chosen = { resource: 'booking', operation: 'create' };
	expect(NodeHelpers.makeDescription(chosen, description)).toBe(
		'Create booking of a tractor for real in Tractor Booking',
	);
});

it('offers no Create From Spreadsheet as a tool, which gets no rows', () => {
	const [choice] = shown({ resource: 'booking' }).filter(({ name }) => name === 'operation');
	const hidden = choicesOf(choice).filter(({ displayOptions }) => displayOptions?.hide);
	expect(hidden.map(({ value }) => value)).toEqual(['createFromSpreadsheet']);
});

it('has a test and a list search for every name that it gives', () => {
	const tests = (description.credentials ?? []).flatMap(({ testedBy }) =>
		typeof testedBy === 'string' ? [testedBy] : [],
	);
	expect(tests.sort()).toEqual(Object.keys(node.methods.credentialTest).sort());
	const searches = flatten(description.properties)
		.flatMap(({ modes = [] }) => modes)
		.flatMap(({ typeOptions }) => typeOptions?.searchListMethod ?? []);
	expect([...new Set(searches)].sort()).toEqual(Object.keys(node.methods.listSearch).sort());
});

it('hides the secret of each credential', () => {
	for (const { properties } of [new TractorBookingApi(), new TractorBookingBearerApi()]) {
		const isEmpty = { required: true, default: '' };
		const secret = properties.find(({ name }) => name !== 'baseUrl');
		expect(secret).toMatchObject({ ...isEmpty, typeOptions: { password: true } });
		expect(properties.find(({ name }) => name === 'baseUrl')).toMatchObject(isEmpty);
	}
});
