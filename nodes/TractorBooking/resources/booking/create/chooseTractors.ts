import type { IDataObject } from 'n8n-workflow';

import type { Issue } from '../../../parse/issue';
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
import { comparableDistance } from '../../tractor/distance';
import type { ParsedRow, RejectedRow, SheetRow } from './rows';
import { issueIn, rejected } from './rows';

/** The tractor chosen for a row, and why. */
export interface ChosenTractor {
	TractorID: number;
	/** As returned by the service. */
	distance: unknown;
	/** Why this tractor was chosen, for the table of results. */
	reason: string;
}

/** A row whose request is complete. */
export interface ReadyRow extends SheetRow {
	kind: 'ready';
	request: BookingRequest;
	/** The tractor, if it was chosen for the row. */
	tractor?: ChosenTractor;
	/** See {@link ParsedRow.pastDate}. */
	pastDate?: Issue;
}

/** A tractor that may be chosen for a row. */
interface Candidate {
	id: string;
	distance: number;
	nearby: IDataObject;
	services?: OfferedService[];
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

function reject(row: ParsedRow, field: string, value: unknown, problem: string, fix: string) {
	return rejected(row, [issueIn(row, field, value, problem, fix)]);
}

/** Finds the number of a service given by name, for a row that has a tractor. */
function withServiceNumber(
	row: ParsedRow,
	details: ReadonlyMap<string, IDataObject>,
): ReadyRow | RejectedRow {
	const { request, serviceName } = row;
	const record = details.get(asText(request.tractorId));
	const services = record && servicesOf(record);
	const service = services && findService(services, { name: serviceName });
	if (service?.id !== undefined) {
		return { ...row, kind: 'ready', request: { ...request, serviceType: service.id } };
	}
	const offered = services?.length ? `it names ${listServices(services)}` : 'it names no services';
	const problem = `is not a service that the details of tractor ${request.tractorId} name with a number (${record ? offered : 'no details came'})`;
	return reject(row, 'serviceType', serviceName, problem, 'write the number of the service type');
}

/** The tractors near the farm with their services, nearest first. */
function rankCandidates(nearby: IDataObject[], details: Map<string, IDataObject>): Candidate[] {
	return nearby
		.map((tractor): Candidate => {
			const id = asText(identifierOf(tractor, 'tractor'));
			const services = servicesOf({ ...tractor, ...details.get(id) });
			return {
				id,
				distance: comparableDistance(tractor, 'distance') ?? Infinity,
				nearby: tractor,
				services,
			};
		})
		.sort((a, b) => (a.distance === b.distance ? 0 : a.distance - b.distance));
}

/** Counts the rows per tractor and day. */
class Load {
	private readonly rows = new Map<string, number>();

	of(row: ParsedRow, tractor: Candidate): number {
		return this.rows.get(this.key(row, tractor)) ?? 0;
	}

	add(row: ParsedRow, tractor: Candidate): void {
		this.rows.set(this.key(row, tractor), this.of(row, tractor) + 1);
	}

	private key(row: ParsedRow, tractor: Candidate): string {
		return `${row.request.serviceDate ?? ''} ${tractor.id}`;
	}
}

function noTractor(row: ParsedRow, within: Candidate[], nearby: Candidate[]): RejectedRow {
	const { maximumDistance } = row.settings;
	const place = `${row.request.latitude}, ${row.request.longitude}`;
	if (within.length === 0) {
		const limit = maximumDistance === undefined ? '' : ` within ${maximumDistance}`;
		const nearest = nearby[0]
			? ` (the nearest of ${nearby.length} is ${nearby[0].distance} away)`
			: '';
		const fix = nearby[0]
			? 'raise the maximum distance'
			: 'check the coordinate, or choose the tractor by ID';
		return reject(row, 'tractor', place, `has no tractor nearby${limit}${nearest}`, fix);
	}
	const offered = listServices(within.flatMap(({ services }) => services ?? []));
	const problem = offered
		? `has ${within.length} tractors nearby, but none that offers ${wantedInWords(row)}; they offer ${offered}`
		: `has ${within.length} tractors nearby, but their details do not name their services`;
	const fix = 'change the service type, raise the maximum distance, or choose the tractor by ID';
	return reject(row, 'tractor', place, problem, fix);
}

function chooseNearest(row: ParsedRow, nearby: Candidate[], load: Load): ReadyRow | RejectedRow {
	const { maximumDistance, distributeRows } = row.settings;
	const within = nearby.filter(
		({ distance }) => maximumDistance === undefined || distance <= maximumDistance,
	);
	const wanted = wantedService(row);
	const fitting = wanted
		? within.filter(({ services }) => services && findService(services, wanted))
		: within;
	const [nearest] = fitting;
	if (!nearest) return noTractor(row, within, nearby);
	const chosen = distributeRows
		? fitting.reduce(
				(best, tractor) => (load.of(row, tractor) < load.of(row, best) ? tractor : best),
				nearest,
			)
		: nearest;
	const id = parseInteger(chosen.id);
	const service = wanted && findService(chosen.services ?? [], wanted);
	if (!id.ok || (row.serviceName !== undefined && service?.id === undefined)) {
		const problem = id.ok
			? 'names the service without its number'
			: 'has an identifier that is not an integer';
		const fix = 'choose the tractor and the service type by number';
		return reject(row, 'tractor', chosen.id, problem, fix);
	}
	load.add(row, chosen);
	const offering = wanted ? ` that offer ${wantedInWords(row)}` : '';
	const limit = maximumDistance === undefined ? '' : ` within ${maximumDistance}`;
	const which = chosen === nearest ? 'nearest' : 'least booked that day';
	const reason = `${which} of ${fitting.length} tractors${limit}${offering}`;
	const serviceType = service?.id === undefined ? {} : { serviceType: service.id };
	return {
		...row,
		kind: 'ready',
		request: { ...row.request, ...serviceType, tractorId: id.value },
		tractor: { TractorID: id.value, distance: chosen.nearby.distance, reason },
	};
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
 * @returns one row for each row, in the same order; rejected if no tractor or service fits, or a request failed
 */
export async function chooseTractors(
	client: ServiceClient,
	rows: readonly ParsedRow[],
): Promise<Array<ReadyRow | RejectedRow>> {
	const nearby = await searchNearby(client, rows);
	const ids = rows.flatMap((row) => tractorsInQuestion(row, nearby.get(row)));
	const details = await settle(listTractorDetails(client, ids.map(asText).filter(Boolean)));
	const load = new Load();
	return rows.map((row) => {
		if (!row.wantsNearest && row.serviceName === undefined) return { ...row, kind: 'ready' };
		const found = nearby.get(row) ?? [];
		if (found instanceof ServiceError) return rejected(row, found);
		if (details instanceof ServiceError) return rejected(row, details);
		if (!row.wantsNearest) return withServiceNumber(row, details);
		return chooseNearest(row, rankCandidates(found, details), load);
	});
}
