import { once } from 'node:events';
import type { AddressInfo, Server, Socket } from 'node:net';

export interface Listening {
	port: number;
	url: string;
	/** Ends the server and its connections, at once. */
	close: () => Promise<void>;
}

export async function listen(server: Server): Promise<Listening> {
	const open = new Set<Socket>();
	server.on('connection', (socket: Socket) => {
		open.add(socket);
		socket.once('close', () => open.delete(socket));
	});
	server.listen(0, '127.0.0.1');
	await once(server, 'listening');
	const { port } = server.address() as AddressInfo;
	return {
		port,
		url: `http://127.0.0.1:${port}`,
		async close() {
			for (const socket of open) socket.destroy();
			server.close();
			await once(server, 'close');
		},
	};
}
