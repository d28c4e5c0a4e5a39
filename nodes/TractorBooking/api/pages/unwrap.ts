import type { IDataObject } from 'n8n-workflow';

import { isRecord } from '../../utils/record';
import { asText, isEmpty } from '../../utils/text';
import { ServiceError, TRY_LATER } from '../errors';
import { errorMessageFrom, saysFailure } from '../errorText';
import type { RecordKind } from '../identifiers';
import { namedIdentifierOf } from '../identifiers';

/** One page of a list, whatever its body looked like (interface, "Pagination of list endpoints"). */
export interface Page {
	/** In the order of the response. */
	records: IDataObject[];
	/** Number of records of the whole list, if the response says so. It may be wrong. */
	count?: number;
	/** Whether more pages follow; undefined if the response does not say. */
	hasNext?: boolean;
	/** Whether something comes before this page; undefined if the response does not say. */
	hasPrevious?: boolean;
	/** Query of the next page's URL. Only the query: a key is never sent to a URL from a response. */
	nextQuery?: IDataObject;
}

/** What a list holds: the kind of its records, in the plural. */
export type ListName = 'bookings' | 'tractors' | 'contracts';

const KINDS: Readonly<Record<ListName, RecordKind>> = {
	bookings: 'booking',
	tractors: 'tractor',
	contracts: 'contract',
};

/** The array of a response, or null in its place, and the objects around it, outermost first. */
interface FoundList {
	list: unknown[] | null;
	around: IDataObject[];
	/** Whether its name says nothing: if it is empty, it may be anything. */
	isUnnamed?: boolean;
}

/** The list in a body: the body itself, what is under a list's name, or else the only array of its records. */
function findList(body: unknown, what: ListName): FoundList | undefined {
	if (Array.isArray(body) || body === null) return { list: body, around: [] };
	if (!isRecord(body)) return undefined;
	const lists = ['results', 'data', what].flatMap((name) => findList(body[name], what) ?? []);
	const found = lists.find(({ list }) => list !== null) ?? lists[0] ?? findUnnamed(body, what);
	return found && { ...found, around: [body, ...found.around] };
}

/** The only array whose records all show their documented identifier; of several, the only one that has records. */
function findUnnamed(body: IDataObject, what: ListName): FoundList | undefined {
	const isWanted = (value: unknown) =>
		isRecord(value) && namedIdentifierOf(value, KINDS[what]) !== undefined;
	const arrays = Object.values(body).flatMap((value): unknown[][] =>
		Array.isArray(value) && value.every(isWanted) ? [value] : [],
	);
	const filled = arrays.filter(({ length }) => length > 0);
	const [list, ...others] = filled.length > 0 ? filled : arrays;
	return list && others.length === 0 ? { list, around: [], isUnnamed: true } : undefined;
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

/** What the envelopes around a list say about it, but for a count that the page itself contradicts. */
function readEnvelopes(around: IDataObject[], length: number): Omit<Page, 'records'> {
	const inner = around.flatMap(({ meta, pagination }) => [meta, pagination]).filter(isRecord);
	const envelopes = [...around, ...inner];
	const valueOf = (name: string) => envelopes.find((envelope) => name in envelope)?.[name];
	const saysMore = (address: unknown) => (address === undefined ? undefined : !isEmpty(address));
	const next = valueOf('next');
	const hasNext = saysMore(next);
	const count = envelopes
		.flatMap(({ count: counted, total }) => [toCount(counted), toCount(total)])
		.find((value) => value !== undefined);
	const isOfPage = count !== undefined && (hasNext ? count <= length : count < length);
	return {
		count: isOfPage ? undefined : count,
		hasNext,
		hasPrevious: saysMore(valueOf('previous')),
		nextQuery: queryOfUrl(next),
	};
}

/**
 * Reads a page of a list (interface, "Paginated list envelope"), by the rules 1 and 2 of docs/developers/assumptions.md.
 *
 * @param what what the list holds
 * @param isFirst whether nothing is known of the list yet: then an empty array of an unknown name may be anything
 * @returns undefined if there is no such page: null is in the place of the list, or what may be anything
 * @throws ServiceError (`unreadable`) if there is no list of objects in the body, or an error beside an empty one
 */
export function unwrapPage(body: unknown, what: ListName, isFirst: boolean): Page | undefined {
	const { list, around, isUnnamed }: Partial<FoundList> = findList(body, what) ?? {};
	const records = list?.filter(isRecord) ?? [];
	const isError = around?.some((envelope) => Boolean(envelope.error) || saysFailure(envelope));
	if (!around || records.length < (list?.length ?? 0) || (records.length === 0 && isError))
		throw unexpectedResponse(what, body);
	const said = readEnvelopes(around, records.length);
	const isCertain = records.length > 0 || said.count === 0;
	const isNone = list === null || (isUnnamed && isFirst);
	return isNone && !isCertain ? undefined : { records, ...said };
}

/** The records of a list wherever it is in a body; undefined if there is no list. */
export function recordsIn(body: unknown, what: ListName): IDataObject[] | undefined {
	return findList(body, what)?.list?.filter(isRecord);
}

/**
 * The error for a response that is not what was asked for, with what the service says in its place.
 *
 * @param what what was asked for, e.g. `bookings` for a list of them, or `booking`
 */
export function unexpectedResponse(what: string, body?: unknown): ServiceError {
	const hasReason = isRecord(body) && (body.error ?? body.errors ?? body.detail ?? body.message);
	const wanted = what.endsWith('s') ? `list of ${what}` : what;
	return new ServiceError(
		'unreadable',
		`The service answered with something that is not a ${wanted}`,
		{
			description: hasReason
				? `The service says: ${errorMessageFrom(body)}. ${TRY_LATER}`
				: 'Check that the base URL in the credential is the one of the service.',
		},
	);
}

/** Names under which one record is usually wrapped. */
const RECORD_NAMES = ['data', 'results', 'result', 'booking', 'tractor'];

/** The record in a body: the body itself, what is under a usual name, or the only one of a list; undefined if there is none. */
export function findRecord(
	body: unknown,
	isIt: (record: IDataObject) => boolean,
): IDataObject | undefined {
	if (Array.isArray(body)) return body.length === 1 ? findRecord(body[0], isIt) : undefined;
	if (!isRecord(body)) return undefined;
	if (isIt(body)) return body;
	const records = RECORD_NAMES.map((name) => findRecord(body[name], isIt));
	return records.find((record) => record !== undefined);
}

/**
 * Reads one record that may be wrapped in an envelope, or in a list of one.
 *
 * @param isIt whether an object is the record, by a field that every such record has
 * @throws ServiceError (`unreadable`) if there is no such record in the body
 */
export function parseRecord(
	body: unknown,
	what: string,
	isIt: (record: IDataObject) => boolean,
): IDataObject {
	const record = findRecord(body, isIt);
	if (!record) throw unexpectedResponse(what, body);
	return record;
}
