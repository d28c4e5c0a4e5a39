import type {
	INodeParameters,
	INodeProperties,
	INodeTypeDescription,
	NodeParameterValueType,
} from 'n8n-workflow';
import { NodeHelpers } from 'n8n-workflow';

/** The literal values that a dropdown, a multiple choice or a toggle of the editor can have. */
function valuesOf(property: INodeProperties): NodeParameterValueType[] {
	if (property.type === 'boolean') return [true, false];
	const values = (property.options ?? []).flatMap((option) =>
		'value' in option ? [option.value] : [],
	);
	if (property.type === 'options') return values;
	if (property.type === 'multiOptions') return values.map((value) => [value]);
	return [];
}

function valuesOrTyped(property: INodeProperties, texts: INodeParameters) {
	const values = valuesOf(property);
	return values.length > 0 ? values : [texts[property.name] ?? property.default];
}

/** The properties that a collection of the editor can hold. */
function membersOf(property: INodeProperties): INodeProperties[] {
	if (property.type !== 'collection') return [];
	return (property.options ?? []).flatMap((option) => ('type' in option ? [option] : []));
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
 * choices that the display of other fields depends on, and every other choice once with each combination.
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
	return combinations.flatMap((parameters) => [
		parameters,
		...description.properties
			.filter(({ name }) => !(name in chosen) && !deciding.has(name))
			.filter((property) => isShown(parameters, property))
			.flatMap((property) => [
				...valuesOf(property).map((value) => ({ ...parameters, [property.name]: value })),
				...membersOf(property).flatMap((member) =>
					valuesOrTyped(member, texts).map((value) => ({
						...parameters,
						[property.name]: { [member.name]: value },
					})),
				),
			]),
	]);
}
