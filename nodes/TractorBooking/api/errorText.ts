import type { IDataObject } from 'n8n-workflow';

import { isRecord } from '../utils/record';
import { asText, isEmpty } from '../utils/text';

const MAX_QUOTE = 300;

/** An error as one text: it may be a text, a list, or an object by field. */
function flatten(error: unknown): string {
	if (typeof error === 'string') return error;
	if (Array.isArray(error)) return error.map(flatten).filter(Boolean).join('; ');
	if (!isRecord(error)) return asText(error);
	return Object.entries(error)
		.map(([field, problem]) => `${field}: ${flatten(problem)}`)
		.join('; ');
}

/** The field of a body that gives the reason, or all of its fields. */
function reasonIn({ error, errors, detail, message, ...fields }: IDataObject): unknown {
	// `error: true` says that there is one, not which.
	const reason = typeof error === 'boolean' ? undefined : error;
	return reason ?? errors ?? detail ?? message ?? fields;
}

/**
 * What the body of a refused request says, if anything, shortened for a message (interface, "Errors": an `error`
 * field for status 400; other bodies are not shown).
 *
 * @param body parsed JSON that is not nested deeply, or the text that could not be parsed
 */
export function errorMessageFrom(body: unknown): string {
	// A page of HTML is for browsers.
	if (typeof body === 'string' && /^\s*</.test(body)) return '';
	const text = flatten(isRecord(body) ? reasonIn(body) : body);
	// A lone surrogate cannot be shown, and not every database keeps it.
	const said = text.replace(/\p{Surrogate}/gu, '\uFFFD').trim();
	if (said.length <= MAX_QUOTE) return said;
	// Between words: half a key would not be recognised and redacted.
	return `${said.slice(0, Math.max(said.lastIndexOf(' ', MAX_QUOTE), 0))}…`;
}

/** Whether a body says that what was asked for failed: `{ success: false }`, `{ status: 'failed' }`, `{ code: 400 }`. */
export function saysFailure(body: IDataObject): boolean {
	const { success, ok, status, code, statusCode, errors } = body;
	const hasErrors = isRecord(errors) ? Object.keys(errors).length > 0 : !isEmpty(errors);
	const isCode = [status, code, statusCode].some((value) => /^[45]\d\d$/.test(asText(value)));
	const isWord = /^(?:error|fail(?:ed|ure)?)$/i.test(asText(status));
	return success === false || ok === false || isWord || isCode || hasErrors;
}
