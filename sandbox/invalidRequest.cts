import type { Settings } from './settings.cts';

/** A request that the service refuses with 400: what is wrong with which field. */
export class InvalidRequest extends Error {
	readonly issues: Record<string, string[]>;

	constructor(issues: Record<string, string[]>) {
		super('invalid request');
		this.issues = issues;
	}

	/** The refusal that caused an error of a handler, of the validation or of the body's parser. */
	static from(error: unknown): InvalidRequest | undefined {
		if (error instanceof InvalidRequest) return error;
		if (!(error instanceof Error)) return undefined;
		if ('validation' in error && Array.isArray(error.validation)) {
			const issues: Record<string, string[]> = {};
			for (const { instancePath, message, params } of error.validation as ValidationFinding[]) {
				const field = instancePath.slice(1).replaceAll('/', '.') || 'request';
				const allowed = params?.allowedValues ? `: ${params.allowedValues.join(', ')}` : '';
				(issues[field] ??= []).push(`${message ?? 'is not valid'}${allowed}`);
			}
			return new InvalidRequest(issues);
		}
		if ('statusCode' in error && error.statusCode === 400) {
			return new InvalidRequest({ request: [error.message] });
		}
		return undefined;
	}
}

interface ValidationFinding {
	instancePath: string;
	message?: string;
	params?: { allowedValues?: unknown[] };
}

/** The body of a 400 (interface, "Errors"): an `error` field, as a text or as an object. */
export function renderInvalid({ issues }: InvalidRequest, { errorShape }: Settings) {
	if (errorShape === 'object') return { error: issues };
	const texts = Object.entries(issues).map(([field, found]) => `${field} ${found.join(', ')}`);
	return { error: texts.join('; ') };
}
