import { onAbort } from './abort';

/** Largest body that is read, in bytes after decompression: many times a page of any usual size. */
export const MAX_BODY_BYTES = 100 * 1024 * 1024;

const utf8 = new TextDecoder();

/** A body that arrives in pieces. */
interface BodyStream extends AsyncIterable<Uint8Array> {
	destroy(): unknown;
}

/** A body of more than `MAX_BODY_BYTES`. */
export class BodyTooLarge extends Error {}

function isStream(body: unknown): body is BodyStream {
	return typeof body === 'object' && body !== null && Symbol.asyncIterator in body;
}

async function readToEnd(body: BodyStream): Promise<string> {
	const pieces: Uint8Array[] = [];
	let bytes = 0;
	for await (const piece of body) {
		bytes += piece.byteLength;
		if (bytes > MAX_BODY_BYTES) throw new BodyTooLarge();
		pieces.push(piece);
	}
	const [first, ...others] = pieces;
	return utf8.decode(others.length === 0 ? first : Buffer.concat(pieces));
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
