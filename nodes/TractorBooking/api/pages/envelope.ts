import type { IDataObject } from 'n8n-workflow';

import { ServiceError, TRY_LATER } from '../errors';
import { errorMessageFrom, saysFailure } from '../errorText';
import { isRecord } from '../../utils/record';
import type { RecordKind } from '../identifiers';
import { identifiersOf } from '../identifiers';
import type { Page } from './list';

const CHECK_SERVICE = 'Check that the base URL in the credential is the one of the service.';

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
const COUNT = /^(?:count|total(?:_?(?:count|items|docs))?)$/i;
const ENVELOPE_KEYS = ['pagination', 'paging', 'meta', 'links', 'page_info', 'pageInfo'];

/** Names under which responses carry remarks about themselves. */
const REMARK = /^(?:error|warning|message|link)s?$/i;

/** Names of a list that end with those of its records: `nearby_tractors`. */
const OF_RECORDS = /(?:booking|tractor|contract)s$/i;

const KINDS: readonly RecordKind[] = ['booking', 'tractor', 'contract'];

/** The list of a response, undefined if there may be none, and the objects around it, outermost first. */
interface FoundList {
	list?: unknown[];
	around: IDataObject[];
}

/** @param inEnvelope what an object holds that has no list under a usual name */
function listIn(
	body: unknown,
	inEnvelope: (envelope: IDataObject) => FoundList | undefined,
): FoundList | undefined {
	if (Array.isArray(body)) return { list: body, around: [] };
	if (!isRecord(body)) return undefined;
	for (const key of LIST_KEYS) {
		const inner = listIn(body[key], inEnvelope);
		if (inner) return { ...inner, around: [body, ...inner.around] };
	}
	return inEnvelope(body);
}

/** Null in the place of a list; beside an error, it stands for no list at all. */
function nullIn(body: IDataObject): FoundList | undefined {
	const isNull = !body.error && LIST_KEYS.some((key) => body[key] === null);
	return isNull ? { around: [body] } : undefined;
}

/** The only array, whatever its name is, or none if 0 records are counted; none in a record, whose arrays are its own. */
function onlyArrayIn(body: IDataObject): FoundList | undefined {
	const [array, ...others] = Object.entries(body).filter(
		([key, value]) => Array.isArray(value) && !REMARK.test(key),
	);
	if (!array) return totalIn([body]) === 0 ? { around: [body] } : undefined;
	const isOwn = KINDS.some((kind) => identifiersOf(body, kind).length > 0);
	if (others.length > 0 || body.error || isOwn) return undefined;
	const [key, list] = array;
	// If it is empty, it may be anything.
	const isList = Array.isArray(list) && (list.length > 0 || OF_RECORDS.test(key));
	return { list: isList ? list : undefined, around: [body] };
}

/** The number of records of the whole list. */
function totalIn(envelopes: IDataObject[]): number | undefined {
	return envelopes
		.flatMap(Object.entries)
		.filter(([name]) => COUNT.test(name))
		.map(([, count]) => toCount(count))
		.find((count) => count !== undefined);
}

function toCount(value: unknown): number | undefined {
	const count = typeof value === 'string' && value.trim() !== '' ? Number(value) : value;
	return typeof count === 'number' && Number.isInteger(count) && count >= 0 ? count : undefined;
}

/** The value under the first name of this kind. */
function valueUnder(envelope: IDataObject, name: RegExp): IDataObject[string] {
	return envelope[Object.keys(envelope).find((key) => name.test(key)) ?? ''];
}

function queryOfUrl(next: unknown): IDataObject | undefined {
	if (typeof next !== 'string' || !URL.canParse(next, 'http://service')) return undefined;
	const query = Object.fromEntries(new URL(next, 'http://service').searchParams);
	return Object.keys(query).length > 0 ? query : undefined;
}

/** `next` of an envelope: a URL, a page number, a cursor, `null` or absent. */
function nextOf(envelopes: IDataObject[]): Pick<Page, 'hasMore' | 'nextQuery'> {
	for (const envelope of envelopes) {
		if ('next' in envelope) {
			const { next } = envelope;
			const pageNumber = toCount(next);
			// No page is followed by page 0.
			const isLast = next === null || next === '' || next === false || pageNumber === 0;
			const nextQuery = pageNumber === undefined ? queryOfUrl(next) : { page: pageNumber };
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

/** Whether something comes before a page, by its `previous` (a URL or a page number, also 0) or its offset. */
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
	return listIn(body, nullIn)?.list?.filter(isRecord);
}

/**
 * The error for a response that is not what was asked for, with what the service says in its place.
 *
 * @param what what was asked for, e.g. `list of bookings`
 */
export function unlike(what: string, body?: unknown): ServiceError {
	const isReason = isRecord(body) && (body.error ?? body.detail ?? body.message);
	const said = isReason ? `The service says: ${errorMessageFrom(body)}. ` : '';
	return new ServiceError(
		'unreadable',
		`The service answered with something that is not a ${what}`,
		{ description: `${said}${CHECK_SERVICE}` },
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
	const nothing: FoundList = { around: [] };
	const found = body === null ? nothing : (listIn(body, nullIn) ?? listIn(body, onlyArrayIn));
	const { list = [], around } = found ?? nothing;
	if (!found || !list.every(isRecord)) throw unlike(`list of ${what}`, body);
	if (list.length === 0 && around.some((envelope) => envelope.error || saysFailure(envelope))) {
		throw new ServiceError(
			'unreadable',
			`The service reported an error instead of a list of ${what}: ${errorMessageFrom(body)}`,
			{ description: TRY_LATER },
		);
	}
	const inner = around
		.flatMap((envelope) => ENVELOPE_KEYS.map((key) => envelope[key]))
		.filter(isRecord);
	const envelopes = [...around, ...inner];
	const total = totalIn(envelopes);
	return {
		items: list,
		total,
		...nextOf(envelopes),
		hasPrevious: hasPreviousIn(envelopes),
		isMissing: found.list === undefined && total !== 0,
	};
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
	for (const key of RECORD_KEYS) {
		const record = findRecord(body[key], isIt, depth + 1);
		if (record) return record;
	}
	return undefined;
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
	throw unlike(what, body);
}
