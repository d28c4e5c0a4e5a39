import type {
	INodeParameters,
	INodeProperties,
	INodeTypeDescription,
	NodeParameterValueType,
} from 'n8n-workflow';
import { NodeHelpers } from 'n8n-workflow';

/** More options than any dropdown has but Phone Country. */
const MAX_OPTIONS = 20;

/** Each choice that the editor offers for a field; of a collection, each of its members with each of its choices. */
function choicesOf(property: INodeProperties, texts: INodeParameters): NodeParameterValueType[] {
	const { name, type, options = [] } = property;
	if (type === 'boolean') return [true, false];
	const values = options.flatMap((option) => ('value' in option ? [option.value] : []));
	// Of the 246 phone countries some do; all of them are in the tests of phones.
	if (type === 'options') return values.slice(0, MAX_OPTIONS);
	if (type === 'multiOptions') return values.map((value) => [value]);
	if (type !== 'collection') return [texts[name] ?? property.default];
	const members = options.flatMap((option) => ('type' in option ? [option] : []));
	return members.flatMap((member) =>
		choicesOf(member, texts).map((choice) => ({ [member.name]: choice })),
	);
}

/**
 * The parameters of a node as the editor saves them, hidden fields left out: each choice of each field that is shown at
 * first, and of each field that one of these choices shows.
 *
 * @param chosen what is not varied, e.g. resource and operation
 * @param texts values of the fields that have no choices, by name
 */
export function literalChoices(
	description: INodeTypeDescription,
	chosen: INodeParameters,
	texts: INodeParameters,
): INodeParameters[] {
	const { properties } = description;
	const isShown = (parameters: INodeParameters, property: INodeProperties) =>
		NodeHelpers.displayParameter(parameters, property, { typeVersion: 1 }, description);
	const withShown = (given: INodeParameters) => {
		const all = { ...given };
		for (const one of properties)
			if (isShown(all, one)) all[one.name] ??= texts[one.name] ?? one.default;
		return all;
	};
	const varied = (given: INodeParameters, fixed: INodeParameters) =>
		properties
			.filter((one) => !(one.name in fixed) && isShown(withShown(given), one))
			.flatMap((one) => choicesOf(one, texts).map((choice) => ({ ...given, [one.name]: choice })));
	const first = varied(chosen, chosen);
	const next = first.flatMap((given) => varied(given, withShown(chosen)));
	return [...first, ...next].map(withShown);
}
