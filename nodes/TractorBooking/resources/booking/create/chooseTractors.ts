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
import type { Measure } from '../../../parse/distance';
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

/** The tractors near a farm, nearest first. */
interface Nearby {
	candidates: Candidate[];
	/** What they are sorted by; undefined if nothing tells which is nearest. */
	measure?: Measure | 'position';
}

function wantedService({
	request,
	serviceName,
}: ParsedRow): { id?: number; name?: string } | undefined {
	if (request.serviceType !== undefined) return { id: request.serviceType };
	return serviceName === undefined ? undefined : { name: serviceName };
}

function wantedInWords(row: ParsedRow): string {
	return row.serviceName === undefined
		? `service type ${row.request.serviceType}`
		: `"${row.serviceName}"`;
}

/** Finds the number of a service given by name, for a row that has a tractor. */
function withServiceNumber(
	row: ParsedRow,
	details: ReadonlyMap<string, IDataObject>,
): ReadyRow | FinishedRow {
	const { request, serviceName } = row;
	const record = details.get(asText(request.tractorId));
	const services = record && servicesOf(record);
	const service = services && findService(services, { name: serviceName });
	if (service?.id !== undefined) {
		return { ...row, kind: 'ready', request: { ...request, serviceType: service.id } };
	}
	if (!record) {
		const unknown = 'is no tractor of which the service has details';
		return rejectedFor(row, 'tractorId', request.tractorId, unknown, 'check the ID of the tractor');
	}
	const { tractorId } = request;
	return services?.some(({ id }) => id !== undefined)
		? rejectedFor(
				row,
				'serviceType',
				serviceName,
				`is not offered by tractor ${tractorId}; it offers ${listServices(services)}`,
				'change the service type or the tractor',
			)
		: rejectedFor(
				row,
				'serviceType',
				serviceName,
				`has no number, and the details of tractor ${tractorId} name none`,
				'write the number of the service type',
			);
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

/**
 * The tractors near the farm with their services, nearest first: by distance; by minutes or position if more of them
 * can be read. The service's own order says nothing.
 */
function rankNearby(
	{ request, settings }: ParsedRow,
	nearby: IDataObject[],
	servicesNear: (tractor: IDataObject, id: string) => OfferedService[] | undefined,
): Nearby {
	const awayBy = (tractor: IDataObject, measure: (typeof MEASURES)[number]) =>
		measure === 'position' ? kilometresTo(tractor, request) : comparableDistance(tractor, measure);
	// A maximum distance can be compared with nothing else.
	const measures = settings.maximumDistance === undefined ? MEASURES : MEASURES.slice(0, 1);
	const readable = measures.map(
		(measure) => nearby.filter((tractor) => awayBy(tractor, measure) !== undefined).length,
	);
	const most = Math.max(...readable);
	const measure = most > 0 ? measures[readable.indexOf(most)] : undefined;
	const candidates = nearby.map((tractor): Candidate => {
		const id = asText(identifierOf(tractor, 'tractor'));
		const away = measure && awayBy(tractor, measure);
		return { id, away, nearby: tractor, services: servicesNear(tractor, id) };
	});
	const rank = ({ away = Infinity }: Candidate) => away;
	candidates.sort((a, b) => (rank(a) === rank(b) ? 0 : rank(a) - rank(b)));
	return { candidates, measure };
}

/** The rows that each tractor has on a day of the run. */
export class Workload {
	private readonly rows = new Map<string, number>();

	of({ request }: OpenRow, tractorId: string): number {
		return this.rows.get(`${request.serviceDate ?? ''} ${tractorId}`) ?? 0;
	}

	add(row: OpenRow, tractorId: string): void {
		const key = `${row.request.serviceDate ?? ''} ${tractorId}`;
		this.rows.set(key, this.of(row, tractorId) + 1);
	}

	/** Whether the tractor has as many rows of the day as the settings of the row allow. */
	isFull(row: OpenRow, tractorId: string): boolean {
		return this.of(row, tractorId) >= (row.settings.maximumRows ?? Infinity);
	}
}

const counted = (count: number, noun: string) => `${count} ${noun}${count === 1 ? '' : 's'}`;

const MAXIMUM_DISTANCE = 'Options > Maximum Distance of the Tractor';

/** Why no tractor nearby fits a row, in the order in which they are left out. */
function noTractor(
	row: ParsedRow,
	{ candidates, measure }: Nearby,
	within: Candidate[],
	fitting: Candidate[],
): FinishedRow {
	const { maximumDistance, maximumRows = 0 } = row.settings;
	const rejectPlace = (problem: string, fix: string) =>
		rejectedFor(
			row,
			'coordinates',
			`${row.request.latitude}, ${row.request.longitude}`,
			problem,
			fix,
		);
	const byId = fixById(row);
	const [nearest] = candidates;
	if (!nearest) {
		const limit = maximumDistance === undefined ? '' : ` within ${maximumDistance}`;
		return rejectPlace(`has no tractor nearby${limit}`, `check the coordinate, or ${byId}`);
	}
	if (within.length === 0) {
		return measure === undefined
			? rejectPlace(
					`has ${counted(candidates.length, 'tractor')} nearby, but the service does not say how far away`,
					maximumDistance === undefined ? byId : `remove ${MAXIMUM_DISTANCE}, or ${byId}`,
				)
			: rejectPlace(
					`has no tractor nearby within ${maximumDistance} (the nearest of ${candidates.length} is ${nearest.away} away)`,
					`raise ${MAXIMUM_DISTANCE}`,
				);
	}
	if (fitting.length > 0) {
		return rejectPlace(
			`has ${counted(fitting.length, 'tractor')} nearby, but each has ${counted(maximumRows, 'row')} of ${row.request.serviceDate} already`,
			'choose another day, or raise Options > Rows per Tractor and Day',
		);
	}
	const near = `has ${counted(within.length, 'tractor')} nearby, but`;
	if (within.every(({ services }) => !services?.length)) {
		return rejectPlace(
			`${near} their details do not name their services`,
			row.serviceName === undefined
				? `turn on Options > Accept Tractors That Name No Services, or ${byId}`
				: `write the number of the service type, and ${byId}`,
		);
	}
	const offered = listServices(within.flatMap(({ services }) => services ?? []));
	const isFurther = candidates.some((candidate) => offers(row, candidate));
	return rejectedFor(
		row,
		'serviceType',
		row.serviceName ?? row.request.serviceType,
		`is offered by none of ${counted(within.length, 'tractor')} nearby; they offer ${offered}`,
		`change the service type, ${isFurther ? `raise ${MAXIMUM_DISTANCE}, ` : ''}or ${byId}`,
	);
}

function offers(row: ParsedRow, { services }: Candidate): boolean {
	const wanted = wantedService(row);
	return !wanted || (services !== undefined && findService(services, wanted) !== undefined);
}

/** The tractors that offer what the row wants; if the services are unknown, those that may, if that is enough. */
function fittingOf(row: ParsedRow, within: Candidate[]): Candidate[] {
	const offering = within.filter((candidate) => offers(row, candidate));
	const mayOffer = row.settings.acceptUnknownServices && row.request.serviceType !== undefined;
	return offering.length > 0 || !mayOffer
		? offering
		: within.filter(({ services }) => !services?.length);
}

function chooseNearest(row: ParsedRow, nearby: Nearby, workload: Workload): ReadyRow | FinishedRow {
	const { maximumDistance, distributeRows } = row.settings;
	const { candidates, measure } = nearby;
	const isNear = ({ away }: Candidate) =>
		away === undefined
			? maximumDistance === undefined && candidates.length === 1
			: away <= (maximumDistance ?? Infinity);
	const within = candidates.filter(isNear);
	const fitting = fittingOf(row, within);
	const free = fitting.filter(({ id }) => !workload.isFull(row, id));
	const [nearest] = free;
	if (!nearest) return noTractor(row, nearby, within, fitting);
	const isLess = (a: Candidate, b: Candidate) => workload.of(row, a.id) < workload.of(row, b.id);
	const chosen = distributeRows
		? free.reduce((best, tractor) => (isLess(tractor, best) ? tractor : best), nearest)
		: nearest;
	const id = parseInteger(chosen.id);
	const wanted = wantedService(row);
	const service = wanted && findService(chosen.services ?? [], wanted);
	if (!id.ok || (row.serviceName !== undefined && service?.id === undefined)) {
		const problem = id.ok
			? 'names the service without its number'
			: 'has an identifier that is not an integer';
		const fix = `write the number of the service type, and ${fixById(row)}`;
		return rejectedFor(row, 'tractorId', chosen.id, problem, fix);
	}
	workload.add(row, chosen.id);
	const offering = service
		? ` that ${fitting.length === 1 ? 'offers' : 'offer'} ${wantedInWords(row)}`
		: '';
	const limit = maximumDistance === undefined ? '' : ` within ${maximumDistance}`;
	const by = { distance: '', minsAway: ', by minutes', position: ', by position' };
	const which =
		chosen !== nearest
			? 'least booked that day'
			: chosen === fitting[0]
				? 'nearest'
				: 'nearest with rows left that day';
	const unknown = wanted && !service ? '; whether it offers the service is unknown' : '';
	const reason = `${which} of ${counted(fitting.length, 'tractor')}${limit}${offering}${measure ? by[measure] : ''}${unknown}`;
	const serviceType = service?.id === undefined ? {} : { serviceType: service.id };
	return {
		...row,
		kind: 'ready',
		request: { ...row.request, ...serviceType, tractorId: id.value },
		tractor: { TractorID: id.value, distance: chosen.nearby.distance, reason },
	};
}

/** A row that names its tractor, and its service by number. */
function withOwnTractor(row: ReadyRow, workload: Workload): ReadyRow | FinishedRow {
	const id = asText(row.request.tractorId);
	if (workload.isFull(row, id)) {
		const { settings, request } = row;
		const problem = `has ${counted(settings.maximumRows ?? 0, 'row')} of ${request.serviceDate} already`;
		const fix = 'choose another day or tractor, or raise Options > Rows per Tractor and Day';
		return rejectedFor(row, 'tractorId', row.request.tractorId, problem, fix);
	}
	workload.add(row, id);
	return row;
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
	return wantedService(row) && Array.isArray(nearby)
		? nearby.map((tractor) => identifierOf(tractor, 'tractor'))
		: [];
}

/**
 * Third stage: chooses the nearest tractor for the rows that want it, and finds the numbers of services given by
 * name. The details of all tractors are requested together.
 *
 * @param workload the rows that were given tractors before in this run
 * @returns one row for each row, in the same order; rejected if no tractor or service fits, or a request failed. Rows
 * that are ready or finished are as they were
 */
export async function chooseTractors(
	client: ServiceClient,
	rows: readonly Row[],
	workload: Workload,
): Promise<CheckedRow[]> {
	const open = rows.filter((row) => row.kind === 'parsed');
	const nearby = await searchNearby(client, open);
	const ids = open.flatMap((row) => tractorsInQuestion(row, nearby.get(row)));
	const details = await settle(listTractorDetails(client, ids.map(asText).filter(Boolean)));
	// Many rows have the same tractors nearby.
	const services = new Map<string, OfferedService[] | undefined>();
	const servicesNear = (tractor: IDataObject, id: string) => {
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
		if (row.wantsNearest) return chooseNearest(row, rankNearby(row, found, servicesNear), workload);
		const numbered = withServiceNumber(row, details);
		return numbered.kind === 'ready' ? withOwnTractor(numbered, workload) : numbered;
	});
}
