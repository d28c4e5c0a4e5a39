import type { IDataObject } from 'n8n-workflow';

import { asText, isEmpty, isRecord } from '../../utils/text';
import { saysFailure } from '../responses';
import { unexpectedResponse } from '../records';

/** One page of a list, whatever its body looked like (interface, "Pagination of list endpoints"). */
export interface Page {
	records: IDataObject[];
	/** Number of records of the whole list, if the response says so and the page does not contradict it. It may be wrong. */
	count?: number;
	/** Whether more pages follow; undefined if the response does not say. */
	hasNext?: boolean;
	/** Query of the next page's URL. Only the query: a key is never sent to a URL from a response. */
	nextQuery?: IDataObject;
}

export type ListName = 'bookings' | 'tractors' | 'contracts';

/** The array of a response, or null in its place, and the objects around it, outermost first. */
interface FoundList {
	list: unknown[] | null;
	around: IDataObject[];
}

/** The list in a body: the body itself, or what is under a list's name. */
function findList(body: unknown, what: ListName): FoundList | undefined {
	if (Array.isArray(body) || body === null) return { list: body, around: [] };
	if (!isRecord(body)) return undefined;
	const lists = ['results', 'data', what].flatMap((name) => findList(body[name], what) ?? []);
	const found = lists.find(({ list }) => list !== null) ?? lists[0];
	return found && { ...found, around: [body, ...found.around] };
}

function toCount(value: unknown): number | undefined {
	const text = asText(value);
	return /^\d+$/.test(text) ? Number(text) : undefined;
}

function queryOfUrl(next: unknown): IDataObject | undefined {
	if (typeof next !== 'string' || !URL.canParse(next, 'http://service')) return undefined;
	const query = Object.fromEntries(new URL(next, 'http://service').searchParams);
	return Object.keys(query).length > 0 ? query : undefined;
}

/** What the envelopes around a list say about it, except for a count that the page itself contradicts. */
function readEnvelopes(around: IDataObject[], length: number): Omit<Page, 'records'> {
	const inner = around.flatMap(({ meta, pagination }) => [meta, pagination]).filter(isRecord);
	const envelopes = [...around, ...inner];
	const valueOf = (name: string) => envelopes.find((envelope) => name in envelope)?.[name];
	const next = valueOf('next');
	const hasNext = next === undefined ? undefined : !isEmpty(next);
	const count = envelopes
		.flatMap(({ count: counted, total }) => [toCount(counted), toCount(total)])
		.find((value) => value !== undefined);
	const isOfPage = count !== undefined && (hasNext ? count <= length : count < length);
	return {
		count: isOfPage ? undefined : count,
		hasNext,
		nextQuery: queryOfUrl(next),
	};
}

/**
 * Reads a page of a list (interface, "Paginated list envelope"), by the rules 1 and 2 of docs/developers/assumptions.md.
 *
 * @param what what the list holds
 * @returns undefined if there is no such page: null in place of its list
 * @throws ServiceError (`unreadable`) if there is no list of objects in the body, or an error beside an empty one
 */
export function unwrapPage(body: unknown, what: ListName): Page | undefined {
	const { list, around }: Partial<FoundList> = findList(body, what) ?? {};
	const records = list?.filter(isRecord) ?? [];
	const isError = around?.some(saysFailure);
	if (!around || records.length < (list?.length ?? 0) || (records.length === 0 && isError))
		throw unexpectedResponse(what, body);
	const said = readEnvelopes(around, records.length);
	return list === null && said.count !== 0 ? undefined : { records, ...said };
}
