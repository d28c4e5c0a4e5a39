import { createServer } from 'node:http';

import { listen, type Listening } from './listen.cts';

/** Another web server, which keeps what reaches it. */
export interface OtherServer extends Pick<Listening, 'url' | 'close'> {
	requests: Array<{ method: string; url: string; authorization?: string }>;
}

/** Answers everything in one way. @param answer a text is sent as HTML, anything else as JSON */
export async function startOtherServer(answer: unknown = {}, status = 200): Promise<OtherServer> {
	const requests: OtherServer['requests'] = [];
	const server = createServer(({ method = '', url = '', headers }, response) => {
		requests.push({ method, url, authorization: headers.authorization });
		const html = typeof answer === 'string';
		response.writeHead(status, { 'Content-Type': html ? 'text/html' : 'application/json' });
		response.end(html ? answer : JSON.stringify(answer));
	});
	return { ...(await listen(server)), requests };
}

export function otherServerForTests(answer?: unknown): OtherServer {
	const server = {} as OtherServer;
	beforeAll(async () => void Object.assign(server, await startOtherServer(answer)));
	beforeEach(() => (server.requests.length = 0));
	afterAll(async () => await server.close());
	return server;
}
