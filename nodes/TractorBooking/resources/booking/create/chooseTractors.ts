import type { IDataObject } from 'n8n-workflow';

import { parseInteger } from '../../../parse/numbers';
import type { ServiceClient } from '../../../api/client';
import type { BookingRequest } from '../../../api/types';
import { listTractorDetails } from '../../../api/details';
import { findNearbyTractors } from '../../../api/endpoints';
import { settle, ServiceError } from '../../../api/errors';
import { identifierOf } from '../../../api/identifiers';
import { mapConcurrent } from '../../../utils/mapConcurrent';
import type { OfferedService } from '../../../api/services';
import { findService, listServices, servicesOf } from '../../../api/services';
import { asText } from '../../../utils/text';
import { Memoizer } from '../../../utils/memoizer';
import { parseCoordinate } from '../../../parse/coordinates';
import { comparableDistance } from '../../../parse/distance';
import type { CheckedRow, FinishedRow, OpenRow, ParsedRow, ReadyRow, Row } from './row';
import { fixById, rejected, rejectedFor } from './row';

/** A tractor that may be chosen for a row. */
interface Candidate {
	id: string;
	/** How far it is from the farm by the measure that was used; undefined if nothing tells. */
	away?: number;
	nearby: IDataObject;
	services?: OfferedService[];
}

/** The services of a tractor that was found nearby. */
type ServicesNear = (tractor: IDataObject, id: string) => OfferedService[] | undefined;

/** Finds the number of a service given by name, for a row that has a tractor. */
function withServiceNumber(
	row: ParsedRow,
	details: ReadonlyMap<string, IDataObject>,
): ReadyRow | FinishedRow {
	const { request, serviceName } = row;
	const { tractorId } = request;
	const record = details.get(asText(tractorId));
	if (!record) {
		const unknown = 'is no tractor of which the service has details';
		return rejectedFor(row, 'tractorId', tractorId, unknown, 'check the ID of the tractor');
	}
	const services = servicesOf(record) ?? [];
	const serviceType = findService(services, { name: serviceName })?.id;
	if (serviceType !== undefined)
		return { ...row, kind: 'ready', request: { ...request, serviceType } };
	const [problem, fix] = services.some(({ id }) => id !== undefined)
		? [
				`is not offered by tractor ${tractorId}; it offers ${listServices(services)}`,
				'change the service type or the tractor',
			]
		: [
				`has no number, and the details of tractor ${tractorId} name none`,
				'write the number of the service type',
			];
	return rejectedFor(row, 'serviceType', serviceName, problem, fix);
}

/** Kilometres between a farm and the position of a tractor, near enough to compare; undefined if unreadable. */
function kilometresTo(tractor: IDataObject, { latitude = 0, longitude = 0 }: BookingRequest) {
	const north = parseCoordinate(tractor.PositionLatitude, 'latitude');
	const east = parseCoordinate(tractor.PositionLongitude, 'longitude');
	if (!north.ok || !east.ok) return undefined;
	const shrink = Math.cos((latitude * Math.PI) / 180);
	return 111.2 * Math.hypot(north.value - latitude, (east.value - longitude) * shrink);
}

const MEASURES = ['distance', 'minsAway', 'position'] as const;

/** How a measure is named in the reason. */
const BY = { distance: '', minsAway: ', by minutes', position: ', by position' };

interface Measure {
	measure: (typeof MEASURES)[number];
	/** How far a tractor is away; undefined if it cannot be read. */
	awayOf: (tractor: IDataObject) => number | undefined;
}

/**
 * How far tractors are from a farm: by distance; by minutes or position if more of them can be read. The service's own
 * order says nothing.
 */
function measureFor(
	{ request, settings }: ParsedRow,
	nearby: readonly IDataObject[],
): Measure | undefined {
	// A maximum distance can be compared with nothing else.
	const measures = settings.maximumDistance === undefined ? MEASURES : MEASURES.slice(0, 1);
	const ways = measures.map((measure) => {
		const awayOf = (tractor: IDataObject) =>
			measure === 'position'
				? kilometresTo(tractor, request)
				: comparableDistance(tractor, measure);
		const readable = nearby.filter((tractor) => awayOf(tractor) !== undefined).length;
		return { measure, awayOf, readable };
	});
	const [best] = ways.sort((a, b) => b.readable - a.readable);
	return best?.readable ? best : undefined;
}

/** How many rows each tractor has on a day of the run, by `workKey`. */
type Workload = Map<string, number>;

const workKey = ({ request }: OpenRow, tractorId: string) =>
	`${request.serviceDate ?? ''} ${tractorId}`;

const rowsOf = (workload: Workload, row: OpenRow, tractorId: string) =>
	workload.get(workKey(row, tractorId)) ?? 0;

/** Whether a tractor has as many rows of the day as the settings of the row allow. */
function isFull(workload: Workload, row: OpenRow, tractorId: string): boolean {
	return rowsOf(workload, row, tractorId) >= (row.settings.maximumRows ?? Infinity);
}

/** Counts a row that a tractor is given. */
function add(workload: Workload, row: OpenRow, tractorId: string): void {
	workload.set(workKey(row, tractorId), rowsOf(workload, row, tractorId) + 1);
}

const counted = (count: number, noun: string) => `${count} ${noun}${count === 1 ? '' : 's'}`;

const MAXIMUM_DISTANCE = 'Options > Maximum Distance of the Tractor';

/** What messages add to "nearby" if there is a maximum distance. */
const limitOf = ({ settings: { maximumDistance } }: ParsedRow) =>
	maximumDistance === undefined ? '' : ` within ${maximumDistance}`;

/** A row that finds no tractor for its coordinate. */
function withoutTractor(row: ParsedRow, problem: string, fix: string): FinishedRow {
	const { latitude, longitude } = row.request;
	return rejectedFor(row, 'coordinates', `${latitude}, ${longitude}`, problem, fix);
}

/** The service that a row wants, as services are searched for; undefined if it names none. */
function wantedBy({ request: { serviceType: id }, serviceName: name }: ParsedRow) {
	if (id !== undefined) return { id };
	return name === undefined || name === '' ? undefined : { name };
}

/** The service of a tractor that a row wants. */
function serviceFor(row: ParsedRow, { services = [] }: Candidate): OfferedService | undefined {
	const wanted = wantedBy(row);
	return wanted && findService(services, wanted);
}

/** Those of the tractors nearby, the nearest first, that are near enough. */
function nearEnough(row: ParsedRow, nearby: readonly Candidate[]): Candidate[] | FinishedRow {
	const limit = limitOf(row);
	const byId = fixById(row);
	const [first] = nearby;
	if (!first)
		return withoutTractor(row, `has no tractor nearby${limit}`, `check the coordinate, or ${byId}`);
	const { maximumDistance = Infinity } = row.settings;
	const within = nearby.filter(({ away }) =>
		// The only one is the nearest, however far away it is.
		away === undefined ? !limit && nearby.length === 1 : away <= maximumDistance,
	);
	if (within.length > 0) return within;
	if (first.away === undefined)
		return withoutTractor(
			row,
			`has ${counted(nearby.length, 'tractor')} nearby, but the service does not say how far away`,
			limit ? `remove ${MAXIMUM_DISTANCE}, or ${byId}` : byId,
		);
	return withoutTractor(
		row,
		`has no tractor nearby${limit} (the nearest of ${nearby.length} has distance ${first.away})`,
		`raise ${MAXIMUM_DISTANCE}`,
	);
}

/** Those of the tractors that are near enough that offer the service of the row, or may. */
function thatOffer(
	row: ParsedRow,
	within: readonly Candidate[],
	nearby: readonly Candidate[],
): Candidate[] | FinishedRow {
	const { request, serviceName, settings } = row;
	const { serviceType } = request;
	const isWanted = wantedBy(row) !== undefined;
	const offering = within.filter((tractor) => !isWanted || serviceFor(row, tractor));
	if (offering.length > 0) return offering;
	const byId = fixById(row);
	const silent = within.filter(({ services }) => !services?.length);
	if (silent.length > 0 && settings.acceptUnknownServices && serviceType !== undefined)
		return silent;
	if (silent.length === within.length)
		return withoutTractor(
			row,
			`has ${counted(nearby.length, 'tractor')} nearby, but their details do not name their services`,
			serviceName === undefined
				? `turn on Options > Accept Tractors That Name No Services, or ${byId}`
				: `write the number of the service type, and ${byId}`,
		);
	const offered = listServices(within.flatMap(({ services }) => services ?? []));
	const further = nearby.some((tractor) => serviceFor(row, tractor));
	return rejectedFor(
		row,
		'serviceType',
		serviceName ?? serviceType,
		`is offered by none of ${counted(within.length, 'tractor')} nearby; they offer ${offered}`,
		`change the service type, ${further ? `raise ${MAXIMUM_DISTANCE}, ` : ''}or ${byId}`,
	);
}

/** A tractor, and which of those that fit it is. */
interface Choice {
	chosen: Candidate;
	which: string;
}

/** The nearest of the tractors that fit which has rows left that day, or with Distribute Rows the least booked one. */
function pick(
	row: ParsedRow,
	fitting: readonly Candidate[],
	workload: Workload,
): Choice | FinishedRow {
	const { maximumRows = 0, distributeRows } = row.settings;
	const free = fitting.filter(({ id }) => !isFull(workload, row, id));
	const [nearest] = free;
	if (!nearest)
		return withoutTractor(
			row,
			`has ${counted(fitting.length, 'tractor')} nearby, but each has ${counted(maximumRows, 'row')} of ${row.request.serviceDate} already`,
			'choose another day, or raise Options > Rows per Tractor and Day',
		);
	const isLess = (a: Candidate, b: Candidate) =>
		rowsOf(workload, row, a.id) < rowsOf(workload, row, b.id);
	const leastBooked = free.reduce((best, tractor) => (isLess(tractor, best) ? tractor : best));
	if (distributeRows && leastBooked !== nearest)
		return { chosen: leastBooked, which: 'least booked that day' };
	const isPassed = nearest !== fitting[0];
	return { chosen: nearest, which: isPassed ? 'nearest with rows left that day' : 'nearest' };
}

/** The tractors near a farm, the nearest first. */
function byDistance(
	records: readonly IDataObject[],
	servicesNear: ServicesNear,
	awayOf: Measure['awayOf'] = () => undefined,
): Candidate[] {
	const candidates = records.map((nearby): Candidate => {
		const id = asText(identifierOf(nearby, 'tractor'));
		return { id, away: awayOf(nearby), nearby, services: servicesNear(nearby, id) };
	});
	// The difference of two that are infinite is no number.
	return candidates.sort((a, b) => (a.away ?? Infinity) - (b.away ?? Infinity) || 0);
}

/** The row with the tractor that was chosen; rejected if that or its service has no number. */
function withTractor(row: ParsedRow, chosen: Candidate, reason: string): ReadyRow | FinishedRow {
	const { request, serviceName } = row;
	const id = parseInteger(chosen.id);
	const service = serviceFor(row, chosen);
	if (!id.ok || (serviceName !== undefined && service?.id === undefined)) {
		const problem = id.ok
			? 'names the service without its number'
			: 'has an identifier that is not an integer';
		const fix = `write the number of the service type, and ${fixById(row)}`;
		return rejectedFor(row, 'tractorId', chosen.id, problem, fix);
	}
	const serviceType = service?.id ?? request.serviceType;
	return {
		...row,
		kind: 'ready',
		request: { ...request, serviceType, tractorId: id.value },
		tractor: { TractorID: id.value, distance: chosen.nearby.distance, reason },
	};
}

/** Why a tractor was chosen. @param count how many fit */
function reasonFor(
	row: ParsedRow,
	{ chosen, which }: Choice,
	count: number,
	way?: Measure,
): string {
	const { request, serviceName } = row;
	const service =
		serviceName === undefined ? `service type ${request.serviceType}` : `"${serviceName}"`;
	const isKnown = serviceFor(row, chosen) !== undefined;
	const offers = isKnown ? ` that ${count === 1 ? 'offers' : 'offer'} ${service}` : '';
	const unknown = wantedBy(row) && !isKnown ? '; whether it offers the service is unknown' : '';
	return `${which} of ${counted(count, 'tractor')}${limitOf(row)}${offers}${way ? BY[way.measure] : ''}${unknown}`;
}

/** Gives a row the nearest of the tractors nearby that offers its service and has rows left that day. */
function chooseNearest(
	row: ParsedRow,
	records: readonly IDataObject[],
	servicesNear: ServicesNear,
	workload: Workload,
): ReadyRow | FinishedRow {
	const way = measureFor(row, records);
	const nearby = byDistance(records, servicesNear, way?.awayOf);
	const within = nearEnough(row, nearby);
	if (!Array.isArray(within)) return within;
	const fitting = thatOffer(row, within, nearby);
	if (!Array.isArray(fitting)) return fitting;
	const picked = pick(row, fitting, workload);
	if ('kind' in picked) return picked;
	const { chosen } = picked;
	const ready = withTractor(row, chosen, reasonFor(row, picked, fitting.length, way));
	if (ready.kind === 'ready') add(workload, row, chosen.id);
	return ready;
}

/** A row that names its tractor, and its service by number. */
function withOwnTractor(row: ReadyRow, workload: Workload): ReadyRow | FinishedRow {
	const { settings, request } = row;
	const id = asText(request.tractorId);
	if (!isFull(workload, row, id)) {
		add(workload, row, id);
		return row;
	}
	const problem = `has ${counted(settings.maximumRows ?? 0, 'row')} of ${request.serviceDate} already`;
	const fix = 'choose another day or tractor, or raise Options > Rows per Tractor and Day';
	return rejectedFor(row, 'tractorId', request.tractorId, problem, fix);
}

/**
 * Searches the tractors near the rows that want the nearest one: one search per distinct coordinate. A search that
 * fails is the failure of its rows.
 */
async function searchNearby(client: ServiceClient, rows: readonly ParsedRow[]) {
	const searches = new Memoizer<IDataObject[] | ServiceError>((found) => found);
	const nearby = new Map<ParsedRow, IDataObject[] | ServiceError>();
	await mapConcurrent(
		rows.filter(({ wantsNearest }) => wantsNearest),
		async (row) => {
			const { latitude = 0, longitude = 0 } = row.request;
			const search = async () => await settle(findNearbyTractors(client, latitude, longitude));
			nearby.set(row, await searches.get([latitude, longitude], search));
		},
	);
	return nearby;
}

/** The tractors whose details the row needs, because they name the services. */
function tractorsInQuestion(row: ParsedRow, nearby: IDataObject[] | ServiceError | undefined) {
	if (!row.wantsNearest) return row.serviceName === undefined ? [] : [row.request.tractorId];
	const isServiceWanted = row.request.serviceType !== undefined || row.serviceName !== undefined;
	return isServiceWanted && Array.isArray(nearby)
		? nearby.map((tractor) => identifierOf(tractor, 'tractor'))
		: [];
}

/**
 * Third stage: chooses the nearest tractor for the rows that want it, and finds the numbers of services given by
 * name. The details of all tractors are requested together.
 *
 * @returns one row for each row, in the same order; rejected if no tractor or service fits, or a request failed. Rows
 * that are ready or finished are as they were
 */
export async function chooseTractors(
	client: ServiceClient,
	rows: readonly Row[],
): Promise<CheckedRow[]> {
	const workload: Workload = new Map();
	const open = rows.filter((row) => row.kind === 'parsed');
	const nearby = await searchNearby(client, open);
	const ids = open.flatMap((row) => tractorsInQuestion(row, nearby.get(row)));
	const details = await settle(listTractorDetails(client, ids.map(asText).filter(Boolean)));
	// Many rows have the same tractors nearby.
	const services = new Map<string, OfferedService[] | undefined>();
	const servicesNear: ServicesNear = (tractor, id) => {
		const record = details instanceof ServiceError ? undefined : details.get(id);
		if (!services.has(id)) services.set(id, servicesOf({ ...tractor, ...record }));
		return services.get(id);
	};
	return rows.map((row) => {
		if (row.kind !== 'parsed') return row;
		if (!row.wantsNearest && row.serviceName === undefined)
			return withOwnTractor({ ...row, kind: 'ready' }, workload);
		const found = nearby.get(row) ?? [];
		if (found instanceof ServiceError) return rejected(row, found);
		if (details instanceof ServiceError) return rejected(row, details);
		if (row.wantsNearest) return chooseNearest(row, found, servicesNear, workload);
		const numbered = withServiceNumber(row, details);
		return numbered.kind === 'ready' ? withOwnTractor(numbered, workload) : numbered;
	});
}
