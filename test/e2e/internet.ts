import Fastify from 'fastify';
import { mkdtemp, readFile, rm } from 'node:fs/promises';
import { createServer } from 'node:http';
import { connect, type AddressInfo } from 'node:net';
import { tmpdir } from 'node:os';
import { join } from 'node:path';

import { CommandError, runCommand } from '../../tools/command';
import { SetupError } from '../../tools/n8nHost/host';

/** A request to a host of the internet. */
export interface HostRequest {
	method: string;
	/** With the query, as it was sent. */
	path: string;
	headers: Record<string, string | string[] | undefined>;
	/** Of JSON or of a form; undefined without a body. */
	body: unknown;
}

/** How a host answers; with status 200 unless `status` says otherwise. */
export type HostAnswer = (request: HostRequest) => { status?: number; body: unknown };

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

/**
 * The internet as n8n sees it: a proxy that leads to hosts of this process over TLS, and to nowhere else. Nodes of n8n
 * that know only their service's own address are tried against it.
 */
export class Internet {
	/** The environment variables with which n8n uses it. */
	env: Record<string, string> = {};
	private readonly closers: Array<() => Promise<unknown>> = [];

	private constructor(private readonly hosts: Record<string, HostAnswer>) {}

	/** @throws SetupError if there is no openssl on this machine */
	static async start(hosts: Record<string, HostAnswer>): Promise<Internet> {
		const internet = new Internet(hosts);
		await internet.listen();
		return internet;
	}

	async close(): Promise<void> {
		for (let close = this.closers.pop(); close; close = this.closers.pop()) await close();
	}

	private async listen(): Promise<void> {
		const folder = await mkdtemp(join(tmpdir(), 'tractor-booking-internet-'));
		this.closers.push(async () => await rm(folder, { recursive: true, force: true }));
		const { key, cert } = await certify(folder, Object.keys(this.hosts));
		const targetPort = await this.serve(await readFile(key), await readFile(cert));
		const proxyPort = await this.proxyTo(targetPort);
		this.env = {
			HTTPS_PROXY: `http://127.0.0.1:${proxyPort}`,
			NO_PROXY: '127.0.0.1,localhost',
			NODE_EXTRA_CA_CERTS: cert,
		};
	}

	private async serve(key: Buffer, cert: Buffer): Promise<number> {
		const app = Fastify({ https: { key, cert }, forceCloseConnections: true });
		this.closers.push(async () => await app.close());
		app.addContentTypeParser(
			'application/x-www-form-urlencoded',
			{ parseAs: 'string' },
			(_request, body, done) => done(null, Object.fromEntries(new URLSearchParams(String(body)))),
		);
		app.all('*', async ({ hostname, method, url: path, headers, body }, reply) => {
			const answer = this.hosts[hostname]?.({ method, path, headers, body });
			return await reply.code(answer?.status ?? 200).send(answer?.body);
		});
		await app.listen({ host: '127.0.0.1', port: 0 });
		return (app.server.address() as AddressInfo).port;
	}

	private async proxyTo(targetPort: number): Promise<number> {
		const proxy = createServer((_request, response) => response.writeHead(501).end());
		proxy.on('connect', (request, client) => {
			const host = request.url?.split(':')[0] ?? '';
			if (!(host in this.hosts)) {
				client.end('HTTP/1.1 502 There is no such host\r\n\r\n');
				return;
			}
			const target = connect(targetPort, '127.0.0.1', () => {
				client.write('HTTP/1.1 200 Connection established\r\n\r\n');
				target.pipe(client).pipe(target);
			});
			const end = () => [client, target].forEach((socket) => socket.destroy());
			[client, target].forEach((socket) => socket.on('error', end).on('close', end));
		});
		await new Promise<void>((resolve) => proxy.listen(0, '127.0.0.1', resolve));
		this.closers.push(
			async () =>
				await new Promise((resolve) => {
					proxy.close(resolve);
					proxy.closeAllConnections();
				}),
		);
		return (proxy.address() as AddressInfo).port;
	}
}
