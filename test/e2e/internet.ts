import Fastify from 'fastify';
import { mkdtemp, readFile, rm } from 'node:fs/promises';
import { createServer, type Server } from 'node:http';
import { connect, type AddressInfo } from 'node:net';
import { tmpdir } from 'node:os';
import { join } from 'node:path';

import { CommandError, runCommand } from '../../tools/command';
import { SetupError } from '../../tools/n8nHost/host';
import { listen } from '../support/listen';

/** A request to a host of the internet. */
interface HostRequest {
	method: string;
	/** With the query, as it was sent. */
	path: string;
	headers: Record<string, string | string[] | undefined>;
	/** Of JSON or of a form; undefined without a body. */
	body: unknown;
}

/** How a host answers, with status 200 unless `status` says otherwise; undefined: it closes the connection. */
export type HostAnswer = (request: HostRequest) => { status?: number; body: unknown } | undefined;

/** Makes a key and a certificate for hosts, which is its own authority. */
async function certify(folder: string, hosts: string[]): Promise<{ key: string; cert: string }> {
	const files = { key: join(folder, 'key.pem'), cert: join(folder, 'cert.pem') };
	const names = hosts.map((host) => `DNS:${host}`).join(',');
	try {
		await runCommand('openssl', [
			...['req', '-x509', '-newkey', 'rsa:2048', '-nodes', '-days', '2', '-subj', '/CN=tests'],
			...['-addext', `subjectAltName=${names}`, '-keyout', files.key, '-out', files.cert],
		]);
	} catch (error) {
		if (!(error instanceof CommandError)) throw error;
		throw new SetupError(`A certificate could not be made. Install openssl. ${error.message}`);
	}
	return files;
}

/** Starts the hosts over TLS, all on one port. */
async function serve(hosts: Record<string, HostAnswer>, key: Buffer, cert: Buffer) {
	const app = Fastify({ https: { key, cert }, forceCloseConnections: true });
	app.addContentTypeParser(
		'application/x-www-form-urlencoded',
		{ parseAs: 'string' },
		(_request, body, done) => done(null, Object.fromEntries(new URLSearchParams(String(body)))),
	);
	app.all('*', async ({ hostname, method, url: path, headers, body }, reply) => {
		const answer = hosts[hostname]?.({ method, path, headers, body });
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
 * @returns the environment variables with which n8n uses it
 * @throws SetupError if there is no openssl on this machine
 */
export async function startInternet(hosts: Record<string, HostAnswer>) {
	const folder = await mkdtemp(join(tmpdir(), 'tractor-booking-internet-'));
	const { key, cert } = await certify(folder, Object.keys(hosts));
	const app = await serve(hosts, await readFile(key), await readFile(cert));
	const proxy = await listen(proxyTo(hosts, (app.server.address() as AddressInfo).port));
	return {
		env: {
			HTTPS_PROXY: proxy.url,
			NO_PROXY: '127.0.0.1,localhost',
			NODE_EXTRA_CA_CERTS: cert,
		},
		async close() {
			await proxy.close();
			await app.close();
			await rm(folder, { recursive: true, force: true });
		},
	};
}
