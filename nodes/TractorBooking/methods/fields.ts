import type { INodeProperties, INodePropertyOptions } from 'n8n-workflow';

import { BOOKING_STATUS_LABELS, statusCode, TO_COMPLETED } from '../api/status';
import { valuesOf } from '../parse/choices';
import { ok, unwrap } from '../parse/issue';
import { PHONE_COUNTRIES } from '../parse/phoneCountryList';
import { invalid } from '../parse/sentences';
import { compareNames } from '../utils/text';

export const field = (
	displayName: string,
	name: string,
	type: INodeProperties['type'],
	defaultValue: INodeProperties['default'],
	description: string,
	more: Partial<INodeProperties> = {},
): INodeProperties => ({ displayName, name, type, default: defaultValue, description, ...more });

export const toggle = (displayName: string, name: string, description: string): INodeProperties =>
	field(displayName, name, 'boolean', false, description);

export type Choice = [name: string, value: string, description?: string];

export const choice = (
	displayName: string,
	name: string,
	description: string,
	defaultValue: string,
	choices: readonly Choice[],
): INodeProperties => ({
	...field(displayName, name, 'options', defaultValue, description),
	options: choices.map(([label, value, hint]) => ({ name: label, value, description: hint })),
});

/** Fields that are added one by one, sorted by name. */
export const collection = (
	displayName: string,
	name: string,
	placeholder: string,
	options: readonly INodeProperties[],
): INodeProperties => ({
	displayName,
	name,
	type: 'collection',
	placeholder,
	default: {},
	options: [...options].sort((a, b) => compareNames(a.displayName, b.displayName)),
});

/** By their codes, as a person chooses them. */
export const COUNTRY_CHOICES: Choice[] = [
	['None (Leave as Typed)', 'none'],
	...PHONE_COUNTRIES.map(({ code, name, callingCode }): Choice => [
		`${name} (+${callingCode})`,
		code,
	]),
];

// No country is right for everybody, and with a wrong one farmers get no SMS.
export const phoneCountryFor = (description: string): INodeProperties =>
	choice('Phone Country', 'phoneCountry', description, '', COUNTRY_CHOICES);

export const simplify: INodeProperties = field(
	'Simplify',
	'simplify',
	'boolean',
	true,
	'Whether to return a simplified version of the response instead of the raw data',
);

/** The documented booking statuses as options, e.g. `In Progress` for 6. */
export const statusOptions: INodePropertyOptions[] = [...BOOKING_STATUS_LABELS]
	.map(([value, label]) => ({
		name:
			value === TO_COMPLETED
				? 'To Completed (Marked by the Owner)'
				: label.replace('_', ' ').replace(/\b[a-z]/g, (letter) => letter.toUpperCase()),
		value,
	}))
	.sort((a, b) => compareNames(a.name, b.name));

/** The statuses of a field; an expression may return anything. @throws InvalidInputError */
export function statusesOf(value: unknown, label: string): number[] {
	const labels = [...BOOKING_STATUS_LABELS].map(([code, name]) => `${code} ${name}`);
	const refusal = invalid('status', labels.join(', '));
	return valuesOf(value).map((one) => {
		const code = statusCode(one);
		return unwrap(code === undefined ? refusal : ok(code), label, one);
	});
}
