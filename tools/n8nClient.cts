import axios, { isAxiosError, type AxiosInstance } from 'axios';
import { randomBytes } from 'node:crypto';
import type { IConnections, IDataObject, INode, IRun, IWorkflowSettings } from 'n8n-workflow';
import { until, type Patience } from './until.cts';

/** The first user of a fresh n8n, who owns it and signs in to the editor. */
export const owner = {
	email: 'owner@example.com',
	firstName: 'Tractor',
	lastName: 'Operator',
	/** New for each process. n8n wants 8 to 64 characters with a digit and a capital. */
	password: `A1${randomBytes(9).toString('base64url')}`,
};

/** A workflow as n8n exports it to a file. */
export interface WorkflowFile {
	name: string;
	nodes: INode[];
	connections: IConnections;
	settings: IWorkflowSettings;
}

/** An execution as n8n's public API shows it. */
export interface Execution {
	id: string;
	workflowId: string;
	status: 'new' | 'running' | 'waiting' | 'success' | 'error' | 'crashed' | 'canceled' | 'unknown';
	data?: IRun['data'];
}

interface PublicationStatus {
	status: 'in_progress' | 'not_published' | 'published' | 'partial' | 'failed';
	triggers: Array<{ errorMessage?: string }>;
}

/** A CSV file from which n8n can make a data table, with the types that it found. */
interface UploadedTable {
	id: string;
	columns: Array<{ name: string; type: string }>;
}

/** No form has more pages: one that asks on and on has found no answer that fits. */
const MAX_PAGES = 20;

const underWay = ['new', 'running', 'waiting'];

/** Whether an execution has ended, one way or another. */
const hasEnded = ({ status }: Execution) => !underWay.includes(status);

/**
 * The answers to a page of a form, as the browser sends them: of each question the first option with these words, and
 * what is hidden.
 */
function answersTo(page: string, choice: RegExp): FormData {
	const form = new FormData();
	for (const [, field = '', value = ''] of page.matchAll(HIDDEN)) form.set(field, value);
	for (const [, multi, select, text = ''] of page.matchAll(QUESTION)) {
		const options = [...text.matchAll(/<(?:input|option)[^>]* value='([^']+)'/g)];
		const option = options.map(([, value = '']) => value).find((value) => choice.test(value));
		if (multi) form.set(multi, JSON.stringify(option === undefined ? [] : [option]));
		else if (select && option !== undefined) form.set(select, option);
	}
	return form;
}

const HIDDEN = /<input type="hidden" id="(field-\d+)" name="[^"]*" value="([^"&]*)"/g;
const QUESTION =
	/<(?:div\s+class='multiselect [^']*'\s+id='([^']+)'|select id='([^']+)')(.*?)class='error-/gs;

/**
 * What an operator does with n8n, over n8n's documented public API; only the set-up of the owner and the state of
 * a publication are asked from the editor's own interface.
 */
export class N8nClient {
	private readonly http: AxiosInstance;

	/** @param url of the editor, e.g. `http://127.0.0.1:5678` */
	constructor(url: string) {
		this.http = axios.create({ baseURL: url, timeout: 60_000 });
		this.http.interceptors.response.use(undefined, (error: unknown) => {
			if (!isAxiosError(error) || !error.response) throw error;
			const { method, url } = error.config ?? {};
			const { status, data } = error.response as { status: number; data: unknown };
			throw new Error(`n8n answered ${status} to ${method} ${url}: ${JSON.stringify(data)}`);
		});
	}

	/** Whether n8n is up, its database is ready and it takes requests. */
	async isReady(): Promise<boolean> {
		return await this.http.get('/healthz/readiness').then(
			() => true,
			() => false,
		);
	}

	/** Makes the {@link owner} of a fresh n8n and an API key for this client. */
	async setUpOwner(): Promise<void> {
		// Older n8n are ready some seconds before their editor is.
		await until('The editor of n8n', async () => {
			const validateStatus = (status: number) => status < 300 || status === 404;
			const { status } = await this.http.get('/rest/settings', { validateStatus });
			return status < 300;
		});
		const response = await this.http.post<unknown>('/rest/owner/setup', owner);
		const cookie = response.headers['set-cookie']?.map((line) => line.split(';')[0]).join('; ');
		this.http.defaults.headers.common.cookie = cookie;
		const scopes = await this.rest<string[]>('get', '/api-keys/scopes');
		const { rawApiKey } = await this.rest<{ rawApiKey: string }>('post', '/api-keys', {
			label: 'Tools',
			scopes,
			expiresAt: null,
		});
		this.http.defaults.headers.common['X-N8N-API-KEY'] = rawApiKey;
	}

	/** @returns the new credential's id. Workflow files that name it find it by name and type. */
	async createCredential(name: string, type: string, data: IDataObject): Promise<string> {
		const credential = { name, type, data };
		const answer = await this.http.post<{ id: string }>('/api/v1/credentials', credential, {
			validateStatus: (status) => status < 300 || status === 400,
		});
		// The public API of n8n 2.8 asks for fields that only some credentials have; its editor does not.
		if (answer.status === 400)
			return (await this.rest<{ id: string }>('post', '/credentials', credential)).id;
		return answer.data.id;
	}

	/**
	 * Tests a credential, as the editor does when one is saved.
	 * @returns what the test says; `OK` is success.
	 */
	async testCredential(id: string, name: string, type: string, data: IDataObject) {
		const credentials = { id, name, type, data };
		return await this.rest<{ status: 'OK' | 'Error'; message: string }>(
			'post',
			'/credentials/test',
			{
				credentials,
			},
		);
	}

	/** Starts a published workflow by its webhook, and does not wait for its end. */
	async callWebhook(path: string, body: object = {}): Promise<void> {
		await this.http.post(`/webhook/${path}`, body);
	}

	/** @returns the new workflow's id. */
	async importWorkflow({ name, nodes, connections, settings }: WorkflowFile): Promise<string> {
		const workflow = { name, nodes, connections, settings };
		return (await this.http.post<{ id: string }>('/api/v1/workflows', workflow)).data.id;
	}

	/** Changes a workflow. A published one goes on as it was until it is published again. */
	async updateWorkflow(
		id: string,
		{ name, nodes, connections, settings }: WorkflowFile,
	): Promise<void> {
		await this.http.put(`/api/v1/workflows/${id}`, { name, nodes, connections, settings });
	}

	/**
	 * Publishes a workflow, so that its trigger runs, and waits until it does.
	 * @throws Error with the trigger's own message when n8n could not activate it.
	 */
	async publishWorkflow(id: string): Promise<void> {
		if (!(await this.publish(id, 'publish'))) {
			await this.http.post(`/api/v1/workflows/${id}/activate`, {});
			return;
		}
		const { status, triggers } = await until(`The publication of workflow ${id}`, async () => {
			const publication = await this.rest<PublicationStatus>(
				'get',
				`/workflows/${id}/publication-status`,
			);
			return publication.status !== 'in_progress' && publication;
		});
		if (status !== 'published') {
			const reasons = triggers.flatMap(({ errorMessage }) => errorMessage ?? []);
			throw new Error(`n8n could not publish workflow ${id} (${status}): ${reasons.join('; ')}`);
		}
	}

	/** Imports a workflow and publishes it. @returns its id */
	async publishNew(workflow: WorkflowFile): Promise<string> {
		const id = await this.importWorkflow(workflow);
		await this.publishWorkflow(id);
		return id;
	}

	/** Stops a published workflow's trigger. */
	async unpublishWorkflow(id: string): Promise<void> {
		if (!(await this.publish(id, 'unpublish')))
			await this.http.post(`/api/v1/workflows/${id}/deactivate`, {});
	}

	/** @returns whether this n8n publishes workflows; older ones only activate them, at once. */
	private async publish(id: string, action: 'publish' | 'unpublish'): Promise<boolean> {
		const validateStatus = (status: number) => status < 300 || [404, 405].includes(status);
		const url = `/api/v1/workflows/${id}/${action}`;
		return (await this.http.post(url, {}, { validateStatus })).status < 300;
	}

	/** @returns the executions of a workflow that are not running, oldest first, without their data. */
	async executions(workflowId: string): Promise<Execution[]> {
		const found: Execution[] = [];
		for (let cursor: string | null | undefined; cursor !== null;) {
			const { data } = await this.http.get<{ data: Execution[]; nextCursor: string | null }>(
				'/api/v1/executions',
				{ params: { workflowId, limit: 250, cursor } },
			);
			found.push(...data.data);
			cursor = data.nextCursor;
		}
		return found.sort((a, b) => Number(a.id) - Number(b.id));
	}

	/** @returns an execution with its data. */
	async execution(id: string): Promise<Execution> {
		const params = { includeData: true };
		return (await this.http.get<Execution>(`/api/v1/executions/${id}`, { params })).data;
	}

	/**
	 * Waits until a workflow has an execution that has ended and was not there before.
	 * @param known executions that were there before
	 * @returns the first such execution, with its data.
	 */
	async nextExecution(workflowId: string, known: Execution[] = []): Promise<Execution> {
		const { id } = await until(`An execution of workflow ${workflowId}`, async () =>
			(await this.fresh(workflowId, known)).find(hasEnded),
		);
		return await this.execution(id);
	}

	/** Waits until so many executions have ended that were not there before, and all such have. @returns them */
	async nextExecutions(
		workflowId: string,
		known: Execution[],
		count: number,
		patience?: Patience,
	): Promise<Execution[]> {
		const ended = async () => {
			const fresh = await this.fresh(workflowId, known);
			return fresh.length >= count && fresh.every(hasEnded) && fresh;
		};
		return await until(`The end of ${count} executions`, ended, patience);
	}

	/** The executions of a workflow that were not there before. */
	private async fresh(workflowId: string, known: Execution[]): Promise<Execution[]> {
		const seen = new Set(known.map(({ id }) => id));
		return (await this.executions(workflowId)).filter(({ id }) => !seen.has(id));
	}

	/** @returns the messages with which executions of a workflow failed. @param known executions that do not count */
	async errors(workflowId: string, known: Execution[] = []): Promise<string[]> {
		const failed = (await this.fresh(workflowId, known)).filter(({ status }) => status === 'error');
		const all = await Promise.all(failed.map(async ({ id }) => await this.execution(id)));
		return all.map(({ data }) => data?.resultData.error?.message ?? '');
	}

	/**
	 * Fills in and sends the form of a published workflow that starts with a form and ends with a form page, as a
	 * browser does: it presses the button of each further page, and waits for the last one.
	 * @param path of the form: its trigger's `webhookId`
	 * @param fields one entry per field, in the form's order
	 * @param choice what is chosen on further pages: of each question, the first option with these words
	 * @returns the pages after the first one, HTML documents; the last one says what became of it.
	 */
	async submitForm(
		path: string,
		fields: Array<string | { name: string; content: Buffer }>,
		choice = /^/,
	): Promise<string[]> {
		const page = await this.openForm(path, fields);
		const pages = [await this.formPage(page)];
		while (pages.at(-1)?.includes('<form')) {
			if (pages.length > MAX_PAGES)
				throw new Error(`The form asks again and again: ${pages.at(-1)}`);
			await this.http.post(page.href, answersTo(pages.at(-1) ?? '', choice));
			pages.push(await this.formPage(page));
		}
		// The page's own script does this: it tells the execution that its last page was seen.
		await this.http.post(page.href, {});
		return pages;
	}

	/** Sends the first page of a form. @returns where its next page is */
	private async openForm(
		path: string,
		fields: Array<string | { name: string; content: Buffer }>,
	): Promise<URL> {
		const form = new FormData();
		fields.forEach((field, index) => {
			const key = `field-${index}`;
			if (typeof field === 'string') form.set(key, field);
			else form.set(key, new Blob([new Uint8Array(field.content)]), field.name);
		});
		const answer = await this.http.post<{ formWaitingUrl: string }>(`/form/${path}`, form);
		return new URL(answer.data.formWaitingUrl);
	}

	/** The page that a form's execution waits with. */
	private async formPage(page: URL): Promise<string> {
		const status = new URL(page);
		status.pathname += '/n8n-execution-status';
		const end = await until('The next page of the form', async () => {
			const state = String((await this.http.get<unknown>(status.href)).data);
			return !underWay.includes(state) && state;
		});
		if (end !== 'form-waiting')
			throw new Error(`The form's execution ended without a last page: ${end}`);
		return (await this.http.get<string>(page.href)).data;
	}

	/**
	 * Makes a data table from a CSV file, whose first row says the types, as the editor's *Import CSV* does.
	 * @returns its id.
	 */
	async importDataTable(name: string, csv: Buffer): Promise<string> {
		const form = new FormData();
		form.set('file', new Blob([new Uint8Array(csv)], { type: 'text/csv' }), `${name}.csv`);
		const file = await this.rest<UploadedTable>('post', '/data-tables/uploads', form);
		const columns = file.columns.map(({ name, type }) => ({ name, type, csvColumnName: name }));
		const { id: project } = await this.rest<{ id: string }>('get', '/projects/personal');
		const table = { name, columns, fileId: file.id, hasHeaders: true };
		return (await this.rest<{ id: string }>('post', `/projects/${project}/data-tables`, table)).id;
	}

	async addDataTableRows(id: string, rows: IDataObject[]): Promise<void> {
		await this.http.post(`/api/v1/data-tables/${id}/rows`, { data: rows });
	}

	async updateDataTableRow(id: string, row: unknown, data: IDataObject): Promise<void> {
		const filters = [{ columnName: 'id', condition: 'eq', value: row }];
		const change = { filter: { type: 'and', filters }, data };
		await this.http.patch(`/api/v1/data-tables/${id}/rows/update`, change);
	}

	/** @returns the first hundred rows of a data table, with the `id` that n8n gives each. */
	async dataTableRows(id: string): Promise<IDataObject[]> {
		const { data } = await this.http.get<{ data: IDataObject[] }>(
			`/api/v1/data-tables/${id}/rows`,
			{ params: { limit: 100 } },
		);
		return data.data;
	}

	private async rest<T>(method: 'get' | 'post', path: string, data?: unknown): Promise<T> {
		return (await this.http.request<{ data: T }>({ method, url: `/rest${path}`, data })).data.data;
	}
}

/** The items that a node put out in an execution, on one of its outputs. */
export function outputOf(execution: Execution, node: string, output = 0): IDataObject[] {
	const runs = execution.data?.resultData.runData[node] ?? [];
	return runs.flatMap((run) => (run.data?.main?.[output] ?? []).map((item) => item.json));
}
