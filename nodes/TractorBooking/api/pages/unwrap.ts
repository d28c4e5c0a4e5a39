import type { IDataObject } from 'n8n-workflow';

import { isRecord } from '../../utils/record';
import { ServiceError, TRY_LATER } from '../errors';
import { errorMessageFrom, saysFailure } from '../errorText';
import type { RecordKind } from '../identifiers';
import { identifiersOf } from '../identifiers';

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

/** Names under which responses carry remarks about themselves. */
const REMARK = /^(?:error|warning|message|link)s?$/i;

const KINDS: readonly RecordKind[] = ['booking', 'tractor', 'contract'];

/** The array of a response, or null in its place, and the objects around it, outermost first. */
interface FoundList {
	list: unknown[] | null;
	around: IDataObject[];
	/** Whether its name says nothing: if it is empty, it may be anything. */
	isUnnamed?: boolean;
}

/** The list in a body: the body, what is under a list's name, or else the only array of objects. */
function findList(body: unknown, what: ListName): FoundList | undefined {
	if (Array.isArray(body) || body === null) return { list: body, around: [] };
	if (!isRecord(body)) return undefined;
	const named = Object.entries(body)
		.filter(([name]) => /^(?:results|data)$/.test(name) || name.toLowerCase().endsWith(what))
		.flatMap(([, inner]) => findList(inner, what) ?? []);
	const found = named.find(({ list }) => list !== null) ?? named[0] ?? onlyArrayIn(body);
	return found && { ...found, around: [body, ...found.around] };
}

/** The only array of objects, or of nothing; none in a record, whose arrays are its own. */
function onlyArrayIn(body: IDataObject): FoundList | undefined {
	if (saysError(body) || KINDS.some((kind) => identifiersOf(body, kind).length > 0))
		return undefined;
	const arrays = Object.entries(body)
		.filter(([name]) => !REMARK.test(name))
		.flatMap(([, value]) => (Array.isArray(value) && value.every(isRecord) ? [value] : []));
	const filled = arrays.filter(({ length }) => length > 0);
	const [list, ...others] = filled.length > 0 ? filled : arrays;
	return list && others.length === 0 ? { list, around: [], isUnnamed: true } : undefined;
}

function saysError(envelope: IDataObject): boolean {
	return Boolean(envelope.error) || saysFailure(envelope);
}

function toCount(value: unknown): number | undefined {
	const count = typeof value === 'string' && value.trim() !== '' ? Number(value) : value;
	return typeof count === 'number' && Number.isInteger(count) && count >= 0 ? count : undefined;
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
	const counts = envelopes.flatMap(({ count, total }) => [toCount(count), toCount(total)]);
	const count = counts.find((value) => value !== undefined);
	const next = envelopes.find((envelope) => 'next' in envelope)?.next;
	const previous = envelopes.find((envelope) => 'previous' in envelope)?.previous;
	const isOfPage = count !== undefined && (next ? count <= length : count < length);
	return {
		count: isOfPage ? undefined : count,
		hasNext: next === undefined ? undefined : Boolean(next),
		hasPrevious: previous === undefined ? undefined : Boolean(previous) || previous === 0,
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
	if (!around || records.length !== (list?.length ?? 0)) throw unexpectedResponse(what, body);
	if (records.length === 0 && around.some(saysError)) {
		throw new ServiceError(
			'unreadable',
			`The service reported an error instead of a list of ${what}: ${errorMessageFrom(body)}`,
			{ description: TRY_LATER },
		);
	}
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
	const isReason = isRecord(body) && (body.error ?? body.detail ?? body.message);
	const said = isReason ? `The service says: ${errorMessageFrom(body)}. ` : '';
	const wanted = what.endsWith('s') ? `list of ${what}` : what;
	return new ServiceError(
		'unreadable',
		`The service answered with something that is not a ${wanted}`,
		{ description: `${said}Check that the base URL in the credential is the one of the service.` },
	);
}

/** Names under which one record is usually wrapped. */
const RECORD_NAMES = ['data', 'results', 'result', 'booking', 'tractor', 'record', 'item'];

/** How deep a record may be wrapped. */
const MAX_DEPTH = 3;

/** The record in a body, however it is wrapped; undefined if there is none. */
export function findRecord(
	body: unknown,
	isIt: (record: IDataObject) => boolean,
	depth = 0,
): IDataObject | undefined {
	if (Array.isArray(body)) return body.length === 1 ? findRecord(body[0], isIt, depth) : undefined;
	if (!isRecord(body) || depth > MAX_DEPTH) return undefined;
	if (isIt(body)) return body;
	for (const name of RECORD_NAMES) {
		const record = findRecord(body[name], isIt, depth + 1);
		if (record) return record;
	}
	return undefined;
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
	if (record) return record;
	throw unexpectedResponse(what, body);
}
