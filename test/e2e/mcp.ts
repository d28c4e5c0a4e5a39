/** A tool as an MCP server lists it. */
interface Tool {
	name: string;
	description: string;
	inputSchema: { properties?: Record<string, { description?: string }> };
}

/** The message of a response: JSON, or one event of a stream. */
interface Message {
	result?: unknown;
}

const TYPES = {
	'Content-Type': 'application/json',
	Accept: 'application/json, text/event-stream',
};

/** Sends a message of the Model Context Protocol to a server. */
export async function postMcp(
	url: string,
	message: { method: string; id?: number; params?: unknown },
	headers: Record<string, string> = {},
): Promise<Response> {
	const body = JSON.stringify({ jsonrpc: '2.0', ...message });
	return await fetch(url, { method: 'POST', headers: { ...TYPES, ...headers }, body });
}

/** A client of an MCP server over streamable HTTP, as an assistant is, but without a model. */
export class McpClient {
	private headers: Record<string, string>;

	constructor(
		private readonly url: string,
		token: string,
	) {
		this.headers = { Authorization: `Bearer ${token}` };
	}

	/** Says hello to the server. @returns its tools */
	async connect(): Promise<Tool[]> {
		const clientInfo = { name: 'tests', version: '1.0.0' };
		const protocolVersion = '2025-03-26';
		await this.ask('initialize', { protocolVersion, capabilities: {}, clientInfo });
		await postMcp(this.url, { method: 'notifications/initialized' }, this.headers);
		return ((await this.ask('tools/list', {})) as { tools: Tool[] }).tools;
	}

	/** Calls a tool. @returns the text of its answer, of an error too */
	async call(name: string, args: Record<string, unknown>): Promise<string> {
		const { content } = (await this.ask('tools/call', { name, arguments: args })) as {
			content: Array<{ text?: string }>;
		};
		return content.map(({ text = '' }) => text).join('\n');
	}

	/** @throws Error if the server refuses */
	private async ask(method: string, params: unknown): Promise<unknown> {
		const response = await postMcp(this.url, { id: 1, method, params }, this.headers);
		const session = response.headers.get('mcp-session-id');
		if (session) this.headers['Mcp-Session-Id'] = session;
		const body = await response.text();
		const [, json = body] = /^data: ?(\{.*"id":1\b.*)$/m.exec(body) ?? [];
		const { result } = response.ok ? (JSON.parse(json) as Message) : {};
		if (result === undefined) throw new Error(`The MCP server answered ${method} with ${body}`);
		return result;
	}
}
