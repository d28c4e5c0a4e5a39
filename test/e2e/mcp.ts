/** A tool as an MCP server lists it. */
export interface McpTool {
	name: string;
	description: string;
	inputSchema: {
		properties?: Record<string, { type?: unknown; description?: string }>;
		required?: string[];
	};
}

interface Message {
	id?: number;
	result?: unknown;
	error?: { message: string };
}

/** Revision of the Model Context Protocol that is spoken. */
const REVISION = '2025-03-26';

const TYPES = {
	'Content-Type': 'application/json',
	Accept: 'application/json, text/event-stream',
};

/** The messages of a response: one JSON message, or a stream of events with one each. */
function messagesIn(body: string): Message[] {
	const texts = body.trimStart().startsWith('{')
		? [body]
		: [...body.matchAll(/^data: ?(.+)$/gm)].map(([, data = '']) => data);
	return texts.map((text) => JSON.parse(text) as Message);
}

/** A client of an MCP server over streamable HTTP, as an assistant is, but without a model. */
export class McpClient {
	private session: Record<string, string> = {};
	private count = 0;

	private constructor(
		private readonly url: string,
		private readonly token: string,
	) {}

	/** Says hello to a server. @throws Error if it refuses */
	static async connect(url: string, token: string): Promise<McpClient> {
		const client = new McpClient(url, token);
		await client.ask('initialize', {
			protocolVersion: REVISION,
			capabilities: {},
			clientInfo: { name: 'tests', version: '1.0.0' },
		});
		await client.post({ method: 'notifications/initialized' });
		return client;
	}

	/** The HTTP status with which a server answers someone without a token. */
	static async statusWithout(url: string): Promise<number> {
		const body = JSON.stringify({ jsonrpc: '2.0', id: 1, method: 'tools/list' });
		return (await fetch(url, { method: 'POST', headers: TYPES, body })).status;
	}

	async tools(): Promise<McpTool[]> {
		return ((await this.ask('tools/list', {})) as { tools: McpTool[] }).tools;
	}

	/** Calls a tool. @returns the text of its answer, of an error too */
	async call(name: string, args: Record<string, unknown>): Promise<string> {
		const { content } = (await this.ask('tools/call', { name, arguments: args })) as {
			content: Array<{ text?: string }>;
		};
		return content.map(({ text = '' }) => text).join('\n');
	}

	private async ask(method: string, params: unknown): Promise<unknown> {
		const id = ++this.count;
		const answer = (await this.post({ id, method, params })).find((message) => message.id === id);
		if (!answer || answer.error)
			throw new Error(`The MCP server refused ${method}: ${answer?.error?.message ?? 'no answer'}`);
		return answer.result;
	}

	private async post(message: object): Promise<Message[]> {
		const response = await fetch(this.url, {
			method: 'POST',
			headers: { ...TYPES, Authorization: `Bearer ${this.token}`, ...this.session },
			body: JSON.stringify({ jsonrpc: '2.0', ...message }),
		});
		const body = await response.text();
		if (!response.ok) throw new Error(`The MCP server answered ${response.status}: ${body}`);
		const session = response.headers.get('mcp-session-id');
		if (session) this.session = { 'Mcp-Session-Id': session };
		return messagesIn(body);
	}
}
