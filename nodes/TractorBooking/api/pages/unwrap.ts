import type { IDataObject } from 'n8n-workflow';

import { isEmpty, isRecord } from '../../utils/text';
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

function queryOfUrl(next: unknown): IDataObject | undefined {
	if (typeof next !== 'string' || !URL.canParse(next, 'http://service')) return undefined;
	const query = Object.fromEntries(new URL(next, 'http://service').searchParams);
	return Object.keys(query).length > 0 ? query : undefined;
}

/**
 * Reads a page of a list (interface, "Paginated list envelope"), by the rules 1 and 2 of docs/developers/assumptions.md.
 *
 * @throws ServiceError: `notFound` for null in place of the list, since there may be no such page; `unreadable` if there
 * is no list of objects in the body, or an error beside an empty one
 */
export function unwrapPage(body: unknown, what: ListName): Page {
	const envelope = isRecord(body) ? body : {};
	const places: unknown[] = isRecord(body) ? [body.results, body.data, body[what]] : [body];
	const given = places.filter((place) => place !== undefined);
	const list = given.find((place) => place !== null) ?? given[0];
	const records = Array.isArray(list) ? list.filter(isRecord) : [];
	const { length } = records;
	const isList = list === null || (Array.isArray(list) && list.length === length);
	if (!isList || (length === 0 && saysFailure(envelope))) throw unexpectedResponse(what, body);
	const said = [envelope, envelope.meta, envelope.pagination].filter(isRecord);
	const valueOf = (name: string) => said.find((one) => name in one)?.[name];
	const next = valueOf('next');
	const hasNext = next === undefined ? undefined : !isEmpty(next);
	const counted = Number(valueOf('count') ?? valueOf('total') ?? NaN);
	const isOfAll = Number.isInteger(counted) && (hasNext ? counted > length : counted >= length);
	const count = isOfAll ? counted : undefined;
	if (list === null && count !== 0) throw unexpectedResponse(what, null, 'notFound');
	return { records, count, hasNext, nextQuery: queryOfUrl(next) };
}
