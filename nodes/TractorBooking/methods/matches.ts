import type { IDataObject, ILoadOptionsFunctions } from 'n8n-workflow';

import type { AuthScheme, ServiceClient } from '../api/client';
import { connect, POLL_POLICY } from '../api/client';
import { toNodeError, withEscapedTexts } from '../api/errors';
import { fold } from '../utils/text';

/** A search with this many digits may be for a phone number. */
const MIN_PHONE_DIGITS = 5;

/** The digits of a text, without the leading zeros of a local number. */
function digitsOf(text: string): string {
	return text.replace(/\D/g, '').replace(/^0+/, '');
}

export type ListOption = { name: string; value: string };

/** The options for the records that match, each once. A record without an id cannot be chosen. */
export class Matches {
	readonly results: ListOption[] = [];

	private readonly seen = new Set(['']);

	private readonly wanted: string;

	constructor(
		private readonly toOption: (record: IDataObject) => ListOption,
		filter = '',
	) {
		this.wanted = fold(filter);
	}

	/** Whether a name holds what was typed; a phone number may be typed in another form: `0803 123` for `+234803123…`. */
	private isMatch(name: string): boolean {
		if (fold(name).includes(this.wanted)) return true;
		const digits = /^[\d\s()+./-]+$/.test(this.wanted) ? digitsOf(this.wanted) : '';
		return digits.length >= MIN_PHONE_DIGITS && digitsOf(name).includes(digits);
	}

	add(records: IDataObject[]): void {
		for (const option of records.map(this.toOption)) {
			if (this.seen.has(option.value)) continue;
			this.seen.add(option.value);
			if (this.isMatch(option.name)) this.results.push(option);
		}
	}
}

/**
 * Runs a search for n8n's editor.
 *
 * @param find searches with a client for the credential of the scheme
 * @throws NodeApiError or NodeOperationError, which the editor shows
 */
export async function search<T>(
	context: ILoadOptionsFunctions,
	scheme: AuthScheme,
	find: (client: ServiceClient) => Promise<T>,
): Promise<T> {
	return await connect(context, scheme, POLL_POLICY)
		.then(find)
		.catch((error: unknown) => {
			throw withEscapedTexts(toNodeError(context.getNode(), error));
		});
}
