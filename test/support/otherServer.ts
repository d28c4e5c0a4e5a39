import { once } from 'node:events';
import { createServer } from 'node:http';
import type { AddressInfo } from 'node:net';

/** Another web server, which keeps what reaches it. */
export interface OtherServer {
	url: string;
	requests: Array<{ method: string; url: string; authorization?: string }>;
	close(): Promise<void>;
}

/**
 * Starts a server that answers everything in one way.
 *
 * @param answer a text is sent as HTML, anything else as JSON
 */
export async function startOtherServer(answer: unknown = {}, status = 200): Promise<OtherServer> {
	const requests: OtherServer['requests'] = [];
	const server = createServer(({ method = '', url = '', headers }, response) => {
		requests.push({ method, url, authorization: headers.authorization });
		const html = typeof answer === 'string';
		response.writeHead(status, { 'Content-Type': html ? 'text/html' : 'application/json' });
		response.end(html ? answer : JSON.stringify(answer));
	});
	server.listen(0, '127.0.0.1');
	await once(server, 'listening');
	const { port } = server.address() as AddressInfo;
	return {
		url: `http://127.0.0.1:${port}`,
		requests,
		async close() {
			server.closeAllConnections();
			server.close();
			await once(server, 'close');
		},
	};
}
