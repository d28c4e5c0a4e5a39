import { MAX_CONCURRENCY } from '../utils/mapConcurrent';
import { onAbort } from './waits';

/**
 * Bytes of all bodies that a process reads at the same time, after decompression: many times a page of any usual size.
 * Beyond it, those that take more than their share are given up.
 */
export const MAX_BODY_BYTES = 100 * 1024 * 1024;

const SHARE = MAX_BODY_BYTES / MAX_CONCURRENCY;

let underWay = 0;

const utf8 = new TextDecoder();

interface BodyStream extends AsyncIterable<Uint8Array> {
	destroy(): unknown;
}

/** A body for which there is no room. */
export class BodyTooLarge extends Error {}

function isStream(body: unknown): body is BodyStream {
	return typeof body === 'object' && body !== null && Symbol.asyncIterator in body;
}

async function readToEnd(body: BodyStream): Promise<string> {
	const pieces: Uint8Array[] = [];
	let bytes = 0;
	try {
		for await (const piece of body) {
			bytes += piece.length;
			underWay += piece.length;
			if (underWay > MAX_BODY_BYTES && bytes > SHARE) throw new BodyTooLarge();
			pieces.push(piece);
		}
		const [first, ...others] = pieces;
		return utf8.decode(others.length === 0 ? first : Buffer.concat(pieces));
	} finally {
		underWay -= bytes;
	}
}

/**
 * The text of a body (UTF-8, without a byte order mark).
 *
 * @param body a stream, or the text if the helper of the n8n context has read it already
 * @param signal closes the stream, and with it the connection, when it is aborted
 * @throws BodyTooLarge, or the error that ended the stream
 */
export async function readBodyText(body: unknown, signal: AbortSignal): Promise<string> {
	if (!isStream(body)) return typeof body === 'string' ? body : '';
	const unsubscribe = onAbort(signal, () => body.destroy());
	try {
		return await readToEnd(body);
	} finally {
		unsubscribe();
		body.destroy();
	}
}
