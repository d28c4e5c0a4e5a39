import type { IDataObject, IExecuteFunctions, INodeType } from 'n8n-workflow';
import axios from 'axios';
import { Pool } from 'undici';

import type { Surroundings } from '../task';
import { CREDENTIAL } from './engine';

const PAGE_SIZE = 100;
const AT_ONCE = 8;

export interface Envelope {
	count: number;
	next: string | null;
	results: IDataObject[];
}

type ReadPage = (page: number) => Promise<Envelope>;

/** A node that does its work with other means than our service layer. */
function node(
	name: string,
	work: (context: IExecuteFunctions) => Promise<IDataObject[]>,
): INodeType {
	return {
		description: {
			displayName: name,
			name,
			group: ['input'],
			version: 1,
			description: name,
			defaults: { name },
			inputs: ['main'],
			outputs: ['main'],
			credentials: [{ name: CREDENTIAL }],
			properties: [],
		},
		async execute() {
			const records = await work(this);
			return [records.map((json) => ({ json, pairedItem: { item: 0 } }))];
		},
	};
}

export function pathOf(page: number): string {
	return `/booking-services/partner/booking/${page}/${PAGE_SIZE}`;
}

/** All pages, so many at a time once the first one has told their number. */
async function readAll(readPage: ReadPage): Promise<IDataObject[]> {
	const first = await readPage(1);
	const pages = [first];
	const last = Math.ceil(first.count / PAGE_SIZE);
	let next = 2;
	async function worker() {
		while (next <= last) {
			const page = next++;
			pages[page - 1] = await readPage(page);
		}
	}
	await Promise.all(Array.from({ length: AT_ONCE }, worker));
	return pages.flatMap(({ results }) => results);
}

/** The bookings by n8n's request helper, {@link AT_ONCE} pages at a time: the limit for any node inside n8n. */
export function bareHelper({ url }: Surroundings): INodeType {
	return node('bareHelper', async (context) => {
		return await readAll(
			async (page) =>
				(await context.helpers.httpRequestWithAuthentication.call(context, CREDENTIAL, {
					url: `${url}${pathOf(page)}`,
					json: true,
				})) as Envelope,
		);
	});
}

/** The bookings over connections that are kept open, which n8n's helper does not offer. */
export function undiciPool({ url, apiKey }: Surroundings): INodeType {
	return node('undiciPool', async () => {
		const pool = new Pool(url, { connections: AT_ONCE });
		const headers = { authorization: `Api-Key ${apiKey}` };
		const records = await readAll(async (page) => {
			const { body } = await pool.request({ method: 'GET', path: pathOf(page), headers });
			return (await body.json()) as Envelope;
		});
		await pool.close();
		return records;
	});
}

/** The bookings page after page, as many nodes do it. */
export function axiosLoop({ url, apiKey }: Surroundings): INodeType {
	return node('axiosLoop', async () => {
		const records: IDataObject[] = [];
		let next: string | null = `${url}${pathOf(1)}`;
		while (next) {
			const { data }: { data: Envelope } = await axios.get(next, {
				headers: { Authorization: `Api-Key ${apiKey}` },
			});
			records.push(...data.results);
			({ next } = data);
		}
		return records;
	});
}
