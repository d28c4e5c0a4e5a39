import { readFileSync, writeFileSync } from 'node:fs';
import { join } from 'node:path';
import type { IDataObject } from 'n8n-workflow';

import { OPERATIONS, perform, recordsOf } from '../support/action.cts';
import { ASKED, eachWithSandbox, farmers, fromFarmers, mapping } from '../support/bookings.cts';
import {
	OPTIONAL_FIELDS,
	BOOKING_FIELDS,
	fieldOf,
	labelOf,
	parseField,
} from '../../nodes/TractorBooking/resources/booking/create/row/fields';
import { RESULT_COLUMNS } from '../../nodes/TractorBooking/resources/booking/create/row/results';

const sandbox = eachWithSandbox({ bookings: 30 });

const place = { lat: 10.5222, lng: 7.4384 };

/** A value for each field of a booking that is none of {@link farmers}. */
const extras = OPTIONAL_FIELDS.map((name) => [name, fieldOf(name).example] as const);

const fields: typeof ASKED = {
	...ASKED,
	'booking:create': {
		...fromFarmers,
		tractorSelection: 'nearest',
		latitude: '={{ $json.lat }}',
		longitude: '={{ $json.lng }}',
		areaType: 'ha',
		additionalFields: Object.fromEntries(extras),
	},
	'booking:createFromSpreadsheet': {
		tractorSelection: 'nearest',
		options: { otherColumns: 'ignore', ...mapping({ date: 'serviceDate' }) },
	},
};

interface Schema {
	type: string;
	properties?: Record<string, Schema>;
	items?: Schema;
}

const fileOf = (name: string) =>
	join(__dirname, '../../nodes/TractorBooking/__schema__/v1.0.0', `${name.replace(':', '/')}.json`);

function schemaOf(name: string): Schema {
	return JSON.parse(readFileSync(fileOf(name), 'utf8')) as Schema;
}

function isOfType(value: unknown, type: string): boolean {
	if (type === 'integer') return Number.isInteger(value);
	if (type === 'array') return Array.isArray(value);
	return typeof value === type;
}

/** The fields of a schema that no record has, or that a record has with another type. */
function contradictions(schema: Schema, records: unknown[], path = ''): string[] {
	const present = records.filter((value) => value !== null && value !== undefined);
	const wrong = present.some((value) => !isOfType(value, schema.type));
	return [
		...(present.length === 0 || wrong ? [path] : []),
		...Object.entries(schema.properties ?? {}).flatMap(([name, property]) =>
			contradictions(
				property,
				present.map((record) => (record as IDataObject)[name]),
				`${path}.${name}`,
			),
		),
	];
}

function typeOf(value: unknown): string {
	if (Array.isArray(value)) return 'array';
	return Number.isInteger(value) ? 'integer' : typeof value;
}

/** The schema of a request: each field with the type that its example has once it is read. */
const requestSchema = Object.fromEntries(
	BOOKING_FIELDS.map((name) => {
		const [example = ''] = fieldOf(name).example.split(' or ');
		const parsed = parseField(name, example, { timezone: 'UTC', today: '2026-01-01' });
		return [name, { type: parsed.ok ? typeOf(parsed.value) : 'unread' }];
	}),
);

// `SCHEMAS=write npx jest schemas` writes it.
it.each(['booking:create', 'booking:createFromSpreadsheet'])(
	'the schema of %s has the fields of a request',
	(name) => {
		const schema = schemaOf(name);
		if (process.env.SCHEMAS === 'write') {
			Object.assign(schema.properties?.request ?? {}, { properties: requestSchema });
			writeFileSync(fileOf(name), `${JSON.stringify(schema, null, '\t')}\n`);
		}
		expect(schemaOf(name).properties?.request?.properties).toEqual(requestSchema);
	},
);

// A contract has no documented field, so there is nothing to show of it.
const documented = OPERATIONS.filter((name) => name !== 'contract:getAll');
it.each(documented)('the schema of %s has the fields that come', async (name) => {
	// The second row of the same is booked already, and has a status.
	const [row = {}, other = {}, third = {}] = farmers(3, {
		...place,
		'Area Unit': 'ha',
		...Object.fromEntries(extras.map(([name, example]) => [labelOf(name), example])),
	});
	const isCreate = name.startsWith('booking:create');
	if (isCreate) await perform(sandbox, name, fields[name], { rows: [row] });
	const { items, error } = await perform(sandbox, name, fields[name], { rows: [other, row] });
	expect(error).toBeUndefined();
	const checkOnly = { ...fields[name], dryRun: true };
	// The second row may be a booking.
	const changed = { ...row, name: 'Amina Bello' };
	const checked = isCreate
		? await perform(sandbox, name, checkOnly, { rows: [third, changed] })
		: undefined;
	const records = recordsOf([...items, ...(checked?.items ?? [])]);
	expect(contradictions(schemaOf(name), records)).toEqual([]);
	if (!checked) return;
	const shown = Object.keys(schemaOf(name).properties ?? {});
	const own = Object.keys(row);
	expect(shown).toEqual([...RESULT_COLUMNS]);
	expect(Object.keys(schemaOf(name).properties?.request?.properties ?? {})).toEqual(BOOKING_FIELDS);
	expect(Object.keys(recordsOf(checked.items)[0] ?? {})).toEqual([...shown, ...own]);
	const always = shown.filter((key) => key !== 'request' && key !== 'summary');
	for (const { json } of items) expect(Object.keys(json)).toEqual([...always, ...own]);
});
