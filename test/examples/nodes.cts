import { compileFunction, createContext } from 'node:vm';
import type { IDataObject, INodeExecutionData } from 'n8n-workflow';

import { asText, isRecord } from '../../nodes/TractorBooking/utils/text';
import { nodeNamed } from '../../tools/examples.cts';
import type { WorkflowFile } from '../../tools/n8nClient.cts';
import { recordsOf } from '../support/action.cts';

// Nodes of an example without n8n: their code and their expressions.

/** As in n8n, nothing of Node.js is there. */
const parsingContext = createContext();

function evaluate(code: string, globals: object): unknown {
	const run = compileFunction(code, Object.keys(globals), { parsingContext });
	const value: unknown = run(...Object.values(globals));
	return JSON.parse(JSON.stringify(value) ?? 'null');
}

/** A value of a parameter, with the values of its expressions. */
export function valueOf(parameter: unknown, globals: object): unknown {
	if (Array.isArray(parameter)) return parameter.map((one) => valueOf(one, globals));
	if (isRecord(parameter)) {
		const entries = Object.entries(parameter);
		return Object.fromEntries(entries.map(([name, one]) => [name, valueOf(one, globals)]));
	}
	if (typeof parameter !== 'string' || !parameter.startsWith('=')) return parameter;
	const [, whole] = /^=\{\{((?:(?!\{\{).)*)\}\}$/s.exec(parameter) ?? [];
	if (whole !== undefined) return evaluate(`return (${whole})`, globals);
	const withValue = (_: string, code: string) => asText(evaluate(`return (${code})`, globals));
	return parameter.slice(1).replace(/\{\{(.*?)\}\}/gs, withValue);
}

export function assignmentsOf(workflow: WorkflowFile, node: string): Record<string, unknown> {
	const { assignments } = nodeNamed(workflow, node).parameters.assignments as {
		assignments: Array<{ name: string; value: unknown }>;
	};
	return Object.fromEntries(assignments.map(({ name, value }) => [name, value]));
}

export function codeOf(workflow: WorkflowFile, node: string, globals: object): IDataObject[] {
	const code = asText(nodeNamed(workflow, node).parameters.jsCode);
	return recordsOf(evaluate(code, globals) as INodeExecutionData[]);
}
