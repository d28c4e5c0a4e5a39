/** A client of an MCP server over streamable HTTP, as an assistant is, but without a model. */
export class McpClient {
	private readonly headers: Record<string, string> = {
		'Content-Type': 'application/json',
		Accept: 'application/json, text/event-stream',
	};

	constructor(
		private readonly url: string,
		token: string,
	) {
		this.headers.Authorization = `Bearer ${token}`;
	}

	async connect(): Promise<string[]> {
		const clientInfo = { name: 'tests', version: '1.0.0' };
		const protocolVersion = '2025-03-26';
		await this.ask('initialize', { protocolVersion, capabilities: {}, clientInfo });
		await this.post('notifications/initialized');
		const { tools } = (await this.ask('tools/list', {})) as { tools: Array<{ name: string }> };
		return tools.map(({ name }) => name);
	}

	async call(name: string, args: Record<string, unknown>): Promise<string> {
		const { content } = (await this.ask('tools/call', { name, arguments: args })) as {
			content: Array<{ text?: string }>;
		};
		return content.map(({ text = '' }) => text).join('\n');
	}

	/** Sends a message; one with an ID is answered. */
	private async post(
		method: string,
		more: { id?: number; params?: unknown } = {},
	): Promise<Response> {
		const { url, headers } = this;
		const body = JSON.stringify({ jsonrpc: '2.0', method, ...more });
		return await fetch(url, { method: 'POST', headers, body });
	}

	private async ask(method: string, params: unknown): Promise<unknown> {
		const response = await this.post(method, { id: 1, params });
		const session = response.headers.get('mcp-session-id');
		if (session) this.headers['Mcp-Session-Id'] = session;
		const body = await response.text();
		// JSON, or one event of a stream.
		const [, json = body] = /^data: ?(\{.*"id":1\b.*)$/m.exec(body) ?? [];
		const { result } = (response.ok ? JSON.parse(json) : {}) as { result?: unknown };
		if (result === undefined) throw new Error(`The MCP server answered ${method} with ${body}`);
		return result;
	}
}
