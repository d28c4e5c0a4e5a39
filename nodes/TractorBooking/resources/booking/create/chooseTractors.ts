import type { IDataObject } from 'n8n-workflow';

import type { ServiceClient } from '../../../api/client';
import { findNearbyTractors, listTractorDetails } from '../../../api/endpoints';
import { settle, ServiceError } from '../../../api/errors';
import { identifierOf, tractorIdOf } from '../../../api/records';
import { findService, namesOfServices, servicesOf } from '../../../api/services';
import type { OfferedService } from '../../../api/services';
import { comparableDistance, nearestFirst } from '../../../parse/distance';
import { formatValue, type Invalid } from '../../../parse/issue';
import { parseInteger } from '../../../parse/numbers';
import { invalid } from '../../../parse/sentences';
import { groupBy } from '../../../utils/groupBy';
import { mapConcurrent } from '../../../utils/mapConcurrent';
import { asText, wordIn, wordsOf } from '../../../utils/text';
import { inTurns } from '../../../utils/turns';
import type { BookingRequest } from './row/fields';
import {
	isOpen,
	issuesOf,
	rejected,
	rejectedFor,
	type FailedRow,
	type OpenRow,
	type Row,
} from './row/row';
import { byTractorId, issueOf, REMARKS, type ById } from './row/sentences';

/** Details of tractors by ID; the failure of the request for them is that of all rows that need them. */
type Details = ReadonlyMap<string, IDataObject> | ServiceError;

const placeIn = ({ latitude, longitude }: BookingRequest) => `${latitude}, ${longitude}`;

const serviceIn = ({ serviceName, request }: Row) => serviceName ?? request.serviceType;

const counted = (count: number, noun: string) => `${count} ${noun}${count === 1 ? '' : 's'}`;

/** Whether a text names several services, whatever stands between them. */
function areSeveral(services: readonly OfferedService[], text = ''): boolean {
	const lettersOf = (name = '') => wordsOf(name).filter((word) => !/^\d+$/.test(word));
	const offered = new Set(services.map(({ name }) => ` ${lettersOf(name).join(' ')} `));
	// Of `Disc Ploughing` and `Ploughing`, the longer one is meant by its words.
	const longestFirst = [...offered].sort((a, b) => b.length - a.length);
	let left = ` ${lettersOf(text).join(' ')} `;
	const named = longestFirst.filter((name) => {
		const isNamed = /\S/.test(name) && left.includes(name);
		if (isNamed) left = left.replace(name, ' | ');
		return isNamed;
	});
	return named.length > 1;
}

/**
 * The row with the issue of its service, which the tractors do not offer, or not under a number, or which is several.
 *
 * @param who the tractors: `tractor 201`
 * @param byId how to choose another one
 */
function notOffered(
	row: OpenRow,
	who: string,
	services: readonly OfferedService[],
	byId: ById,
): Row {
	const { serviceName: name, wantsNearest } = row;
	const value = serviceIn(row);
	if (name !== undefined && services.every(({ id }) => id === undefined)) {
		const why = issueOf('noNumber', who, wantsNearest ? byId : []);
		return rejectedFor(row, 'serviceType', value, why);
	}
	if (areSeveral(services, name))
		return rejectedFor(row, 'serviceType', value, invalid('severalServices'));
	const choices = namesOfServices(services);
	const why = issueOf('notOffered', who, choices.join(', '), byId);
	return rejected(row, [{ ...why, field: 'serviceType', value, choices }]);
}

/** The name of the service of a row; of one that is not offered, what the option Service Names says that it means. */
function nameAmong(services: readonly OfferedService[], row: Row): string | undefined {
	const { serviceName: name, settings } = row;
	const isKnown = name === undefined || findService(services, { name })?.id !== undefined;
	return isKnown ? name : (settings.serviceNames.get(wordIn(name)) ?? name);
}

/** Finds the number of a service given by name, for a row that names its tractor. */
function withOwnTractor(row: OpenRow, details: Details): Row {
	const { request, serviceName: name } = row;
	const { tractorId } = request;
	if (name === undefined) return row;
	if (details instanceof ServiceError) return rejected(row, details);
	const record = details.get(asText(tractorId));
	if (!record) return rejectedFor(row, 'tractorId', tractorId, issueOf('noDetails'));
	const services = servicesOf(record);
	const wanted = { name: nameAmong(services, row) };
	const { id: serviceType } = findService(services, wanted) ?? {};
	if (serviceType === undefined)
		return notOffered(row, `tractor ${tractorId}`, services, ['choose another tractor']);
	const offered = offeredAs(services, serviceType);
	return { ...row, request: { ...request, serviceType }, offered };
}

/** The service with a number, as the tractor names it: `Ploughing (3)`; undefined if it does not. */
const offeredAs = (services: readonly OfferedService[], number: number | undefined) =>
	namesOfServices(services.filter(({ id, name }) => id === number && name !== undefined))[0];

/** The tractors with a number that are near a place, the nearest first. */
function locate(records: IDataObject[] | ServiceError, details: Details) {
	if (records instanceof ServiceError) return records;
	if (details instanceof ServiceError) return details;
	return nearestFirst(records).flatMap((tractor) => {
		const id = parseInteger(identifierOf(tractor, 'tractor'));
		if (!id.ok) return [];
		const services = servicesOf({ ...tractor, ...details.get(tractorIdOf(tractor)) });
		const { distance } = tractor;
		return [{ id: id.value, away: comparableDistance(tractor), distance, services }];
	});
}

/** Gives a row the nearest of the tractors nearby that offers its service. */
function withNearest(row: OpenRow, near: ReturnType<typeof locate>): Row {
	if (near instanceof ServiceError) return rejected(row, near);
	const { request, serviceName: name, settings } = row;
	const byId = byTractorId(settings);
	const reject = (why: Invalid) => rejectedFor(row, 'coordinates', placeIn(request), why);
	const nearby = (tractors: number) => `${counted(tractors, 'tractor')} nearby`;

	if (near.length === 0) return reject(issueOf('noneNearby', byId));
	const offered = near.flatMap(({ services }) => services);
	const isSilent = name === undefined && offered.every(({ id }) => id === undefined);
	if (isSilent && !settings.acceptUnknownServices)
		return reject(issueOf('silentTractors', nearby(near.length), byId));
	const wanted = { id: request.serviceType, name: nameAmong(offered, row) };
	const fitting = near.flatMap(({ services, ...tractor }) => {
		const service = isSilent ? wanted : findService(services, wanted);
		return service?.id === undefined ? [] : [{ ...tractor, services, serviceType: service.id }];
	});
	const [chosen] = fitting;
	if (!chosen) return notOffered(row, nearby(near.length), offered, byId);
	const unmeasured = fitting.find(({ away }) => away === undefined);
	if (unmeasured) {
		const { id, distance = null } = unmeasured;
		return reject(issueOf('unmeasured', id, formatValue(distance), byId));
	}
	const { id: tractorId, distance, serviceType, services } = chosen;
	const { size } = new Set(fitting.map(({ id }) => id));
	const reason = REMARKS.nearest(counted(size, 'tractor'), isSilent);
	return {
		...row,
		request: { ...request, serviceType, tractorId },
		offered: offeredAs(services, serviceType),
		distance,
		reason,
	};
}

/** Looks up the tractors near the places of rows, and the details of these and of those that rows name. */
async function lookUp(client: ServiceClient, rows: readonly Row[]) {
	const seeking = rows.filter(({ wantsNearest }) => wantsNearest);
	const places = new Map(seeking.map(({ request }) => [placeIn(request), request]));
	// One search for each place. A failure is that of its rows.
	const found = await mapConcurrent(
		[...places],
		async ([place, { latitude = 0, longitude = 0 }]) =>
			[place, await settle(findNearbyTractors(client, latitude, longitude))] as const,
	);
	const nearby = found.flatMap(([, records]) => (records instanceof ServiceError ? [] : records));
	const ids = [...rows.map(({ request }) => asText(request.tractorId)), ...nearby.map(tractorIdOf)];
	return { found, details: await settle(listTractorDetails(client, ids.filter(Boolean))) };
}

/**
 * Third stage: chooses the nearest tractor for the rows that want it, and finds the numbers of services given by name.
 *
 * @returns the rows in the same order; rejected if no tractor or service fits, or a request failed
 */
export async function chooseTractors(client: ServiceClient, rows: readonly Row[]): Promise<Row[]> {
	const { found, details } = await lookUp(client, rows.filter(isSearchable));
	const near = new Map(
		await inTurns(found, ([place, records]) => [place, locate(records, details)] as const),
	);
	const choose = (row: OpenRow): Row =>
		row.wantsNearest
			? withNearest(row, near.get(placeIn(row.request)) ?? [])
			: withOwnTractor(row, details);
	return rows.map((row) => {
		if (isOpen(row)) return choose(row);
		// What is wrong with the service of a row is said beside its other issues.
		if (!isSearchable(row)) return row;
		const chosen = choose({ ...row, result: 'open', failure: undefined, question: undefined });
		return rejected(row, [...issuesOf(row), ...issuesOf(chosen)]);
	});
}

/** Whether a tractor or a service can be looked up for a row, also if it has issues: it names a service, and a tractor or a place. */
function isSearchable(row: Row): row is OpenRow | FailedRow {
	const { wantsNearest, serviceName, request, bookingID, result } = row;
	if (bookingID !== undefined || (result !== 'open' && result !== 'to fix')) return false;
	return wantsNearest
		? (serviceName ?? request.serviceType) !== undefined &&
				request.latitude !== undefined &&
				request.longitude !== undefined
		: serviceName !== undefined && request.tractorId !== undefined;
}

/** At most this many searches for tractors are made for a sheet that cannot be booked as it is. */
const MAX_SEARCHES = 20;

/**
 * The rows to be looked up of a sheet that cannot be booked as it is, so that its error names everything at once, and those
 * that have issues anyway. Of the rows that want the nearest tractor, only the first of each service is looked up.
 */
export function sampleOf(rows: readonly Row[]): Row[] {
	const seeking = rows.filter(isSearchable).filter((row) => row.wantsNearest);
	const ofServices = [...groupBy(seeking, serviceIn).values()].slice(0, MAX_SEARCHES);
	const searched = new Set<Row | undefined>(ofServices.map(([first]) => first));
	return rows.flatMap((row) => {
		if (isSearchable(row) && (!row.wantsNearest || searched.has(row))) return row;
		// Without its request, it is not looked up.
		return isOpen(row) ? [] : { ...row, request: {} };
	});
}

/** The services of the tractors that some rows of a sheet may get: their names tell which of its columns has the service. */
export async function servicesNear(
	client: ServiceClient,
	rows: readonly Row[],
): Promise<OfferedService[]> {
	const isPlaced = (row: Row) =>
		(row.wantsNearest ? row.request.latitude : row.request.tractorId) !== undefined;
	const { details } = await lookUp(client, rows.filter(isPlaced).slice(0, 3));
	return details instanceof ServiceError ? [] : [...details.values()].flatMap(servicesOf);
}
