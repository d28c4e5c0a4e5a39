import type { Socket } from 'node:net';
import { createServer } from 'node:net';

import type { Listening } from './listen.cts';
import { listen } from './listen.cts';

/** A server that speaks HTTP only as far as a test makes it. */
export interface RawServer extends Listening {
	/** First lines of the requests that came. */
	requests: string[];
}

/** How a request is answered: by what is written to its connection. */
export type RawAnswer = (socket: Socket, request: { line: string; number: number }) => void;

/** Starts a server whose answers are written to the sockets as they are; one request a connection. */
export async function startRawServer(answer: RawAnswer): Promise<RawServer> {
	const requests: string[] = [];
	const server = createServer((socket) => {
		// A client that gives up resets the connection.
		socket.on('error', () => undefined);
		let head = '';
		socket.on('data', (piece) => {
			const isRead = head.includes('\r\n\r\n');
			head += piece.toString('latin1');
			if (isRead || !head.includes('\r\n\r\n')) return;
			const [line = ''] = head.split('\r\n');
			requests.push(line);
			answer(socket, { line, number: requests.length });
		});
	});
	return { ...(await listen(server)), requests };
}

/** A whole response in JSON. */
export function jsonAnswer(value: unknown, status = '200 OK', headers: string[] = []): string {
	const body = JSON.stringify(value);
	return [
		`HTTP/1.1 ${status}`,
		'Content-Type: application/json',
		`Content-Length: ${Buffer.byteLength(body)}`,
		'Connection: close',
		...headers,
		'',
		body,
	].join('\r\n');
}
