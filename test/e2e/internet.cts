import Fastify from 'fastify';
import { createServer, type Server } from 'node:http';
import { connect, type AddressInfo } from 'node:net';
import { setTimeout as wait } from 'node:timers/promises';

import { CERTIFICATE, CERTIFICATE_FILE, KEY } from '../faults/selfSigned.cts';
import { listen } from '../support/listen.cts';

interface HostRequest {
	method: string;
	/** With the query, as it was sent. */
	path: string;
	headers: Record<string, string | string[] | undefined>;
	/** Of JSON or of a form; undefined without a body. */
	body: unknown;
}

/** With status 200 unless `status` says otherwise; undefined: the connection is closed. */
type Answer = { status?: number; body: unknown } | undefined;

export type HostAnswer = (request: HostRequest) => Answer | Promise<Answer>;

async function serve(hosts: Record<string, HostAnswer>, latencyMs: number) {
	const https = { key: KEY, cert: CERTIFICATE };
	const app = Fastify({ https, forceCloseConnections: true });
	app.addContentTypeParser(
		'application/x-www-form-urlencoded',
		{ parseAs: 'string' },
		(_request, body, done) => done(null, Object.fromEntries(new URLSearchParams(String(body)))),
	);
	app.all('*', async ({ hostname, method, url: path, headers, body }, reply) => {
		const answer = await hosts[hostname]?.({ method, path, headers, body });
		if (latencyMs > 0) await wait(latencyMs);
		if (!answer) return reply.hijack().raw.destroy();
		return await reply.code(answer.status ?? 200).send(answer.body);
	});
	await app.listen({ host: '127.0.0.1', port: 0 });
	return app;
}

/** A proxy that leads to hosts on a port of this machine, and to nowhere else. */
function proxyTo(hosts: Record<string, HostAnswer>, port: number): Server {
	const proxy = createServer((_request, response) => response.writeHead(501).end());
	return proxy.on('connect', (request, client) => {
		const host = request.url?.split(':')[0] ?? '';
		if (!(host in hosts)) {
			client.end('HTTP/1.1 502 There is no such host\r\n\r\n');
			return;
		}
		const target = connect(port, '127.0.0.1', () => {
			client.write('HTTP/1.1 200 Connection established\r\n\r\n');
			target.pipe(client).pipe(target);
		});
		const end = () => [client, target].forEach((socket) => socket.destroy());
		[client, target].forEach((socket) => socket.on('error', end).on('close', end));
	});
}

/**
 * Starts the internet as n8n sees it: a proxy that leads to hosts of this process over TLS, and to nowhere else. Nodes
 * of n8n that know only their service's own address are tried against it.
 *
 * @param hosts those of the certificate
 * @param latencyMs how long each takes for an answer, in milliseconds
 * @returns the environment variables with which n8n uses it
 */
export async function startInternet(hosts: Record<string, HostAnswer>, latencyMs = 0) {
	const app = await serve(hosts, latencyMs);
	const proxy = await listen(proxyTo(hosts, (app.server.address() as AddressInfo).port));
	return {
		env: {
			HTTPS_PROXY: proxy.url,
			NO_PROXY: '127.0.0.1,localhost',
			NODE_EXTRA_CA_CERTS: CERTIFICATE_FILE,
		},
		async close() {
			await proxy.close();
			await app.close();
		},
	};
}
