import type {
	INodeParameters,
	INodeProperties,
	INodeTypeDescription,
	NodeParameterValueType,
} from 'n8n-workflow';
import { NodeHelpers } from 'n8n-workflow';

/** More options than any dropdown has but Phone Country. */
const MAX_OPTIONS = 20;

/** The literal values that a dropdown, a multiple choice or a toggle of the editor can have. */
function valuesOf(property: INodeProperties): NodeParameterValueType[] {
	if (property.type === 'boolean') return [true, false];
	const values = (property.options ?? []).flatMap((option) =>
		'value' in option ? [option.value] : [],
	);
	// Of the 246 phone countries some do; all of them are in the tests of phones.
	if (property.type === 'options') return values.slice(0, MAX_OPTIONS);
	if (property.type === 'multiOptions') return values.map((value) => [value]);
	return [];
}

/** The properties that a collection of the editor can hold. */
function membersOf(property: INodeProperties): INodeProperties[] {
	if (property.type !== 'collection') return [];
	return (property.options ?? []).flatMap((option) => ('type' in option ? [option] : []));
}

/** Lists of the values that a field can be given: one list, or, for a collection, one for each of its members. */
function choicesOf(property: INodeProperties, texts: INodeParameters): NodeParameterValueType[][] {
	const ofMembers = membersOf(property).map((member) => {
		const values = valuesOf(member);
		const literal = values.length > 0 ? values : [texts[member.name] ?? member.default];
		return literal.map((value) => ({ [member.name]: value }));
	});
	return [valuesOf(property), ...ofMembers];
}

/** Pairs in which each of both lists occurs, as few as possible; none where a list is empty. */
function pairs<A, B>(first: readonly A[], second: readonly B[]): Array<[A, B]> {
	if (first.length === 0 || second.length === 0) return [];
	const length = Math.max(first.length, second.length);
	return Array.from({ length }, (_, at) => [
		first[at % first.length] as A,
		second[at % second.length] as B,
	]);
}

/** Names of the fields that the display of anything else depends on. */
function decidingNames(description: INodeTypeDescription): Set<string> {
	const members = description.properties.flatMap(membersOf);
	const dependents = [...description.properties, ...members, ...(description.credentials ?? [])];
	return new Set(
		dependents.flatMap(({ displayOptions: { show, hide } = {} }) =>
			Object.keys({ ...show, ...hide }).map((name) => name.replace(/^\//, '')),
		),
	);
}

/**
 * The parameters of a node as the editor saves them, hidden fields left out: every combination of the literal
 * choices that the display of other fields depends on, each of these with every other field that it shows, and
 * every choice of those fields.
 *
 * @param chosen what is not varied, e.g. resource and operation
 * @param texts values of the fields that have no choices, by name
 */
export function literalChoices(
	description: INodeTypeDescription,
	chosen: INodeParameters,
	texts: INodeParameters,
): INodeParameters[] {
	const node = { typeVersion: 1 };
	const deciding = decidingNames(description);
	const isShown = (parameters: INodeParameters, property: INodeProperties) =>
		NodeHelpers.displayParameter(parameters, property, node, description);

	let combinations: INodeParameters[] = [chosen];
	for (const property of description.properties) {
		if (property.name in chosen) continue;
		combinations = combinations.flatMap((parameters) => {
			if (!isShown(parameters, property)) return [parameters];
			const values = deciding.has(property.name) ? valuesOf(property) : [];
			if (values.length === 0) {
				const value = texts[property.name] ?? property.default;
				return [{ ...parameters, [property.name]: value }];
			}
			return values.map((value) => ({ ...parameters, [property.name]: value }));
		});
	}
	const others = description.properties
		.filter(({ name }) => !(name in chosen) && !deciding.has(name))
		.flatMap((property) => {
			const shownWith = combinations.filter((parameters) => isShown(parameters, property));
			return choicesOf(property, texts).flatMap((values) =>
				pairs(shownWith, values).map(([parameters, value]) => ({
					...parameters,
					[property.name]: value,
				})),
			);
		});
	return [...combinations, ...others];
}
