import type { IDataObject } from 'n8n-workflow';

import { ServiceError, TRY_LATER } from '../errors';
import { errorMessageFrom, saysFailure } from '../errorText';
import { isRecord } from '../../utils/record';
import type { RecordKind } from '../identifiers';
import { identifiersOf } from '../identifiers';
import type { Page } from './list';

/** Names under which lists are usually wrapped, the documented ones first. */
const LIST_KEYS = [
	'results',
	'data',
	'items',
	'records',
	'bookings',
	'tractors',
	'contracts',
	'nearby',
	'content',
	'result',
	'rows',
	'list',
	'payload',
	'response',
];
/** Names under which answers carry remarks about themselves. */
const REMARK = /^(?:error|warning|message|link)s?$/i;
const TOTAL_KEYS = ['count', 'total', 'total_count', 'totalCount', 'total_items', 'totalItems'];
const ENVELOPE_KEYS = ['pagination', 'paging', 'meta', 'links', 'page_info', 'pageInfo'];

/** Names that speak of pages or counts: `totalDocs`, `hasNextPage`, `page`. */
const OF_PAGES = /^(?:total|count|next|has|page|prev|offset)/i;

/** Those of them whose value says whether there is more. */
const OF_MORE = /^(?:total|count|next|has)(?!.*(?:prev|pages$))/i;

/** Names of a list that end with those of its records: `nearby_tractors`. */
const OF_RECORDS = /(?:booking|tractor|contract)s$/i;

const KINDS: readonly RecordKind[] = ['booking', 'tractor', 'contract'];

/** The list of a response, undefined if null is in its place, and the objects around it, outermost first. */
interface Unwrapped {
	list?: unknown[];
	around: IDataObject[];
	/** Whether the list has a name that lists do not usually have. */
	isGuess?: boolean;
}

function unwrap(body: unknown): Unwrapped | undefined {
	if (Array.isArray(body)) return { list: body, around: [] };
	if (!isRecord(body)) return undefined;
	for (const key of LIST_KEYS) {
		const inner = unwrap(body[key]);
		if (inner) return { ...inner, around: [body, ...inner.around] };
	}
	// Beside an error, null stands for no list at all.
	return !body.error && LIST_KEYS.some((key) => body[key] === null)
		? { around: [body] }
		: undefined;
}

/** The only array in an envelope whose names are not known; none in a record, whose arrays are its own. */
function unwrapOnlyArray(body: unknown): Unwrapped | undefined {
	if (!isRecord(body) || body.error || KINDS.some((kind) => identifiersOf(body, kind).length > 0)) {
		return undefined;
	}
	for (const key of LIST_KEYS) {
		const inner = unwrapOnlyArray(body[key]);
		if (inner) return { ...inner, around: [body, ...inner.around] };
	}
	const lists = Object.entries(body).flatMap(([key, value]): Array<[string, unknown[]]> =>
		Array.isArray(value) && !REMARK.test(key) ? [[key, value]] : [],
	);
	const [[key, list] = ['', []]] = lists;
	return lists.length === 1 ? { list, around: [body], isGuess: !OF_RECORDS.test(key) } : undefined;
}

function totalsOf(envelope: IDataObject): Array<number | undefined> {
	return TOTAL_KEYS.map((key) => toCount(envelope[key]));
}

/** An envelope that counts 0 records, and has no list at all. */
function unwrapNothing(body: unknown): Unwrapped | undefined {
	if (!isRecord(body) || Object.values(body).some(Array.isArray)) return undefined;
	return firstOf(totalsOf(body)) === 0 ? { around: [body] } : undefined;
}

function toCount(value: unknown): number | undefined {
	const count = typeof value === 'string' && value.trim() !== '' ? Number(value) : value;
	return typeof count === 'number' && Number.isInteger(count) && count >= 0 ? count : undefined;
}

function firstOf<T>(values: Iterable<T | undefined>): T | undefined {
	for (const value of values) if (value !== undefined) return value;
	return undefined;
}

/** The value under the first name of this kind. */
function valueUnder(envelope: IDataObject, name: RegExp): IDataObject[string] {
	return envelope[Object.keys(envelope).find((key) => name.test(key)) ?? ''];
}

function queryOfAddress(next: unknown): IDataObject | undefined {
	if (typeof next !== 'string' || !URL.canParse(next, 'http://service')) return undefined;
	const query = Object.fromEntries(new URL(next, 'http://service').searchParams);
	return Object.keys(query).length > 0 ? query : undefined;
}

/** `next` of an envelope: an address, a page number, a cursor, `null` or absent. */
function nextOf(envelopes: IDataObject[]): Pick<Page, 'hasMore' | 'nextQuery'> {
	for (const envelope of envelopes) {
		if ('next' in envelope) {
			const { next } = envelope;
			const pageNumber = toCount(next);
			// No page is followed by page 0.
			const isLast = next === null || next === '' || next === false || pageNumber === 0;
			const nextQuery = pageNumber === undefined ? queryOfAddress(next) : { page: pageNumber };
			return isLast ? { hasMore: false } : { hasMore: true, nextQuery };
		}
		const cursor = valueUnder(envelope, /^next_?cursor$/i);
		if (cursor !== undefined)
			return cursor ? { hasMore: true, nextQuery: { cursor } } : { hasMore: false };
		const hasMore = valueUnder(envelope, /^has_?(?:more|next)/i);
		if (typeof hasMore === 'boolean') return { hasMore };
	}
	return {};
}

/** Whether something comes before a page, by its `previous` (an address or a page number, also 0) or its offset. */
function hasPreviousIn(envelopes: IDataObject[]): boolean | undefined {
	for (const envelope of envelopes) {
		const previous = valueUnder(envelope, /^prev(?:ious)?$/);
		if (previous !== undefined) return Boolean(previous) || previous === 0;
		const hasPrevious = valueUnder(envelope, /^has_?prev/i);
		if (typeof hasPrevious === 'boolean') return hasPrevious;
		const offset = toCount(envelope.offset);
		if (offset !== undefined) return offset > 0;
	}
	return undefined;
}

/** The records of a list wherever it is in a body, whatever else is in it; undefined if there is no list. */
export function recordsIn(body: unknown): IDataObject[] | undefined {
	return unwrap(body)?.list?.filter(isRecord);
}

function failedList(body: unknown, what: string): ServiceError {
	return new ServiceError(
		'unreadable',
		`The service reported an error instead of a list of ${what}: ${errorMessageFrom(body)}`,
		{ description: TRY_LATER },
	);
}

/** The error for a response in which there is no list, or something else than records in it. */
export function notAList(what: string): ServiceError {
	return new ServiceError(
		'unreadable',
		`The service answered with something that is not a list of ${what}`,
		{
			description:
				'Expected an array, or an object with the array under "results" or "data": of objects, or empty (null only beside a count of 0). Check that the base URL in the credential is the one of the service.',
		},
	);
}

/**
 * Reads a list whose body is "not shown": a bare array, the documented envelope, an array under `data` or another
 * usual name, also one level deeper, or the only array of an envelope (interface, "Paginated list envelope"). Null
 * in the place of the array, or of the whole body, is a page without records, marked with `isMissing`.
 *
 * @param what the list, for the message, e.g. `bookings`
 * @throws ServiceError (`unreadable`) if there is no list in the body, or a list of anything but objects
 */
export function parseListResponse(body: unknown, what: string): Page {
	const found: Unwrapped | undefined =
		body === null ? { around: [] } : (unwrap(body) ?? unwrapOnlyArray(body) ?? unwrapNothing(body));
	if (!found) throw notAList(what);
	const { list = [], around } = found;
	if (!list.every(isRecord)) throw notAList(what);
	if (list.length === 0 && around.some((body) => body.error || saysFailure(body))) {
		throw failedList(body, what);
	}
	const inner = around
		.flatMap((envelope) => ENVELOPE_KEYS.map((key) => envelope[key]))
		.filter(isRecord);
	const envelopes = [...around, ...inner];
	const total = firstOf(envelopes.flatMap(totalsOf));
	const isDoubtful =
		found.isGuess === true && list.length === 0 && total === undefined && !areEmpty(envelopes);
	return {
		items: list,
		total,
		...nextOf(envelopes),
		hasPrevious: hasPreviousIn(envelopes),
		countsByOffset: envelopes.some((envelope) => toCount(envelope.offset) !== undefined),
		isMissing: found.list === undefined ? total !== 0 : isDoubtful,
	};
}

/** Whether the names beside an empty array speak of pages or counts, and none of more than it. */
function areEmpty(envelopes: IDataObject[]): boolean {
	const beside = envelopes.flatMap(Object.entries);
	return (
		beside.some(([name]) => OF_PAGES.test(name)) &&
		!beside.some(([name, value]) => OF_MORE.test(name) && Number(value) !== 0)
	);
}

/** Names under which one record is usually wrapped, beside those of lists. */
const RECORD_KEYS = [...LIST_KEYS, 'booking', 'tractor', 'record', 'item'];

/** How deep a record may be wrapped. */
const MAX_ENVELOPE_DEPTH = 3;

/** The record in a body, however it is wrapped; undefined if there is none. */
export function findRecord(
	body: unknown,
	isIt: (record: IDataObject) => boolean,
	depth = 0,
): IDataObject | undefined {
	if (Array.isArray(body)) return body.length === 1 ? findRecord(body[0], isIt, depth) : undefined;
	if (!isRecord(body) || depth > MAX_ENVELOPE_DEPTH) return undefined;
	if (isIt(body)) return body;
	return firstOf(RECORD_KEYS.map((key) => findRecord(body[key], isIt, depth + 1)));
}

/**
 * Reads one record that may be wrapped in an envelope, or in a list of one.
 *
 * @param isIt whether an object is the record, by a field that every such record has
 * @throws ServiceError (`unreadable`) when there is no such record in the body
 */
export function parseRecord(
	body: unknown,
	what: string,
	isIt: (record: IDataObject) => boolean,
): IDataObject {
	const record = findRecord(body, isIt);
	if (record) return record;
	const said =
		isRecord(body) && (body.error ?? body.detail ?? body.message) ? errorMessageFrom(body) : '';
	throw new ServiceError(
		'unreadable',
		`The service answered with something that is not a ${what}`,
		{
			description: [
				said && `The service says: ${said}`,
				'Check that the base URL in the credential is the one of the service.',
			]
				.filter(Boolean)
				.join('. '),
		},
	);
}
