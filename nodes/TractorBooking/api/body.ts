import { sleep } from 'n8n-workflow';

import { WAIT_CANCELLED } from './abort';

const utf8 = new TextDecoder();

/** A body that arrives in pieces. */
interface BodyStream extends AsyncIterable<Uint8Array> {
	destroy(): unknown;
}

/** Has the code that failures of the network have, so that it is told in the same words. */
class BodyTimeout extends Error {
	readonly code = 'ETIMEDOUT';
}

function isStream(body: unknown): body is BodyStream {
	return typeof body === 'object' && body !== null && Symbol.asyncIterator in body;
}

async function readToEnd(body: BodyStream): Promise<string> {
	const pieces: Uint8Array[] = [];
	for await (const piece of body) pieces.push(piece);
	const [first, ...others] = pieces;
	return utf8.decode(others.length === 0 ? first : Buffer.concat(pieces));
}

/**
 * The text of a body (UTF-8, without a byte order mark).
 *
 * @param body a stream, or the text where the helper of the n8n context has read it already
 * @param timeoutMs how long a stream may take; n8n's helper minds the time until it begins only
 * @throws whatever broke the stream off, or an error with the code `ETIMEDOUT`
 */
export async function readBodyText(body: unknown, timeoutMs: number): Promise<string> {
	if (!isStream(body)) return typeof body === 'string' ? body : '';
	const end = new AbortController();
	const timeout = sleep(timeoutMs, end.signal).then(() => {
		throw new BodyTimeout();
	});
	// Newer hosts fail a timer that is stopped, older ones let it run out unheard.
	timeout.catch(() => undefined);
	try {
		return await Promise.race([readToEnd(body), timeout]);
	} finally {
		end.abort(WAIT_CANCELLED);
		body.destroy();
	}
}
