import type { IDataObject } from 'n8n-workflow';

import { parseInteger } from '../../../parse/numbers';
import type { ServiceClient } from '../../../api/client';
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
import type { BookingRow } from './rows';
import { addIssue, isGood } from './rows';

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
}: BookingRow): { id?: number; name?: string } | undefined {
	if (request.serviceType !== undefined) return { id: request.serviceType };
	return serviceName === undefined ? undefined : { name: serviceName };
}

function wantedInWords(row: BookingRow): string {
	return row.serviceName === undefined
		? `service type ${row.request.serviceType}`
		: `"${row.serviceName}"`;
}

/** Sets the number of a service given by name, for a row that already has a tractor. */
function resolveServiceNumber(row: BookingRow, details: Map<string, IDataObject>): void {
	const { tractorId } = row.request;
	const record = details.get(asText(tractorId));
	const services = record && servicesOf(record);
	const service = services && findService(services, { name: row.serviceName });
	if (service?.id !== undefined) {
		row.request.serviceType = service.id;
		return;
	}
	const offered = services?.length ? `it names ${listServices(services)}` : 'it names no services';
	const problem = `is not a service that the details of tractor ${tractorId} name with a number (${record ? offered : 'no details came'})`;
	addIssue(row, 'serviceType', row.serviceName, problem, 'write the number of the service type');
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

	of(row: BookingRow, tractor: Candidate): number {
		return this.rows.get(this.key(row, tractor)) ?? 0;
	}

	add(row: BookingRow, tractor: Candidate): void {
		this.rows.set(this.key(row, tractor), this.of(row, tractor) + 1);
	}

	private key(row: BookingRow, tractor: Candidate): string {
		return `${row.request.serviceDate ?? ''} ${tractor.id}`;
	}
}

function noTractor(row: BookingRow, within: Candidate[], nearby: Candidate[]): void {
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
		addIssue(row, 'tractor', place, `has no tractor nearby${limit}${nearest}`, fix);
		return;
	}
	const offered = listServices(within.flatMap(({ services }) => services ?? []));
	const problem = offered
		? `has ${within.length} tractors nearby, but none that offers ${wantedInWords(row)}; they offer ${offered}`
		: `has ${within.length} tractors nearby, but their details do not name their services`;
	addIssue(
		row,
		'tractor',
		place,
		problem,
		'change the service type, raise the maximum distance, or choose the tractor by ID',
	);
}

function chooseNearest(row: BookingRow, nearby: Candidate[], load: Load): void {
	const { maximumDistance, distributeRows } = row.settings;
	const within = nearby.filter(
		({ distance }) => maximumDistance === undefined || distance <= maximumDistance,
	);
	const wanted = wantedService(row);
	const fitting = wanted
		? within.filter(({ services }) => services && findService(services, wanted))
		: within;
	const [nearest] = fitting;
	if (!nearest) {
		noTractor(row, within, nearby);
		return;
	}
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
		addIssue(
			row,
			'tractor',
			chosen.id,
			problem,
			'choose the tractor and the service type by number',
		);
		return;
	}
	load.add(row, chosen);
	row.request.tractorId = id.value;
	if (service?.id !== undefined) row.request.serviceType = service.id;
	const offering = wanted ? ` that offer ${wantedInWords(row)}` : '';
	const limit = maximumDistance === undefined ? '' : ` within ${maximumDistance}`;
	const which = chosen === nearest ? 'nearest' : 'least booked that day';
	const reason = `${which} of ${fitting.length} tractors${limit}${offering}`;
	row.tractor = { TractorID: id.value, distance: chosen.nearby.distance, reason };
}

/**
 * Chooses the nearest tractor for the rows that want it, and finds the numbers of services given by name.
 * Sends one nearby search per distinct coordinate, and requests the details of all tractors together.
 * A row without a suitable tractor or service gets an issue; if a request fails, its rows get the failure.
 */
export async function chooseTractors(
	client: ServiceClient,
	rows: readonly BookingRow[],
): Promise<void> {
	const searching = rows.filter(({ wantsNearest }) => wantsNearest);
	const naming = rows.filter(
		({ wantsNearest, serviceName }) => !wantsNearest && serviceName !== undefined,
	);
	const searches = new Memoizer<IDataObject[] | ServiceError>((found) => found);
	const nearby = new Map<BookingRow, IDataObject[]>();
	await mapConcurrent(searching, async (row) => {
		const { latitude = 0, longitude = 0 } = row.request;
		const found = await searches.get(
			[latitude, longitude],
			async () => await settle(findNearbyTractors(client, latitude, longitude)),
		);
		if (found instanceof ServiceError) row.failure = found;
		else nearby.set(row, found);
	});

	const ofSearches = searching
		.filter((row) => wantedService(row))
		.flatMap((row) => nearby.get(row) ?? [])
		.map((tractor) => identifierOf(tractor, 'tractor'));
	const ofNames = naming.map(({ request }) => request.tractorId);
	const ids = [...ofSearches, ...ofNames].map(asText).filter(Boolean);
	const details = await settle(listTractorDetails(client, ids));
	if (details instanceof ServiceError) {
		for (const row of [...searching, ...naming]) row.failure ??= details;
		return;
	}
	for (const row of naming) resolveServiceNumber(row, details);
	const load = new Load();
	for (const row of searching.filter(isGood)) {
		chooseNearest(row, rankCandidates(nearby.get(row) ?? [], details), load);
	}
}
