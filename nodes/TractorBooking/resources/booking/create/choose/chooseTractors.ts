import type { IDataObject } from 'n8n-workflow';

import type { ServiceClient } from '../../../../api/client';
import { findNearbyTractors, listTractorDetails } from '../../../../api/endpoints';
import { settle, ServiceError } from '../../../../api/errors';
import { InvalidInputError } from '../../../../parse/issue';
import { identifierOf, toKey } from '../../../../api/records';
import type { OfferedService } from '../../../../api/services';
import { findService, listServices, namesOfServices, servicesOf } from '../../../../api/services';
import { mapConcurrent } from '../../../../utils/mapConcurrent';
import { memoize } from '../../../../utils/memoize';
import { asText } from '../../../../utils/text';
import type { CheckedRow, FinishedRow, IdentifiedRow, ParsedRow, ReadyRow, Row } from '../row';
import { rejected, rejectedFor } from '../row';
import { chooseNearest, counted, type ServicesNear, Workload } from './chooseNearest';

/** Finds the number of a service given by name, for a row that has a tractor. */
function withServiceNumber(
	row: ParsedRow,
	details: ReadonlyMap<string, IDataObject>,
): ReadyRow | FinishedRow {
	const { request, serviceName } = row;
	const { tractorId } = request;
	const record = details.get(asText(tractorId));
	if (!record) {
		const unknown = 'is not a tractor that the service has details of';
		return rejectedFor(row, 'tractorId', tractorId, unknown, 'check the ID of the tractor');
	}
	const services = servicesOf(record) ?? [];
	const service = findService(services, { name: serviceName });
	const { id: serviceType } = service ?? {};
	if (serviceType !== undefined)
		return { ...row, kind: 'ready', request: { ...request, serviceType } };
	const isOther = !service && services.some(({ id }) => id !== undefined);
	const [problem, fix] = isOther
		? [
				`is not offered by tractor ${tractorId}; it offers ${listServices(services)}`,
				'change the service type or the tractor',
			]
		: [
				`has no number of its own in the details of tractor ${tractorId}`,
				'write the number of the service type',
			];
	const choices = isOther ? namesOfServices(services) : [];
	return rejected(row, [{ field: 'serviceType', value: serviceName, problem, fix, choices }]);
}

/** A row that names its tractor, and its service by number. */
function withOwnTractor(row: ReadyRow, workload: Workload): ReadyRow | FinishedRow {
	const { settings, request } = row;
	if (!workload.isFull(request.tractorId, row)) {
		workload.add(request.tractorId, row);
		return row;
	}
	const problem = `already has ${counted(settings.maximumRows ?? 0, 'booking')} on ${request.serviceDate}`;
	const fix = 'choose another day or tractor, or raise Options > Bookings per Tractor and Day';
	return rejectedFor(row, 'tractorId', request.tractorId, problem, fix);
}

/** Searches the tractors near each row, one search per distinct coordinate. A search that fails is the failure of its rows. */
async function searchNearby(client: ServiceClient, rows: readonly ParsedRow[]) {
	const search = memoize(
		async ([latitude, longitude]: readonly [number, number]) =>
			await settle(findNearbyTractors(client, latitude, longitude)),
		JSON.stringify,
	);
	const nearby = new Map<ParsedRow, IDataObject[] | ServiceError>();
	await mapConcurrent(
		rows.filter(({ wantsNearest }) => wantsNearest),
		async (row) => {
			const { latitude = 0, longitude = 0 } = row.request;
			nearby.set(row, await search([latitude, longitude]));
		},
	);
	return nearby;
}

/** The tractors whose details the row needs, because they name the services. */
function tractorsInQuestion(row: ParsedRow, nearby: IDataObject[] | ServiceError | undefined) {
	if (!row.wantsNearest) return row.serviceName === undefined ? [] : [row.request.tractorId];
	return Array.isArray(nearby) ? nearby.map((tractor) => identifierOf(tractor, 'tractor')) : [];
}

/** The rows of the sheet that each tractor has by their bookings. */
function workloadOf(rows: readonly Row[]): Workload {
	const workload = new Workload();
	for (const row of rows) {
		const { booking, earlier, request } = row.kind === 'finished' ? row : {};
		// A row that is typed twice has one booking.
		if (booking && request && !earlier)
			workload.add(toKey(booking.tractorPairedTo ?? booking.tractorId), { request });
	}
	return workload;
}

/**
 * Third stage: chooses the nearest tractor for the rows that want it, and finds the numbers of services given by name.
 *
 * @returns the rows in the same order; rejected if no tractor or service fits, or a request failed
 */
export async function chooseTractors(
	client: ServiceClient,
	rows: readonly Row[],
): Promise<CheckedRow[]> {
	const workload = workloadOf(rows);
	const open = rows.flatMap((row) => (row.kind === 'parsed' ? row : (draftOf(row) ?? [])));
	const nearby = await searchNearby(client, open);
	const ids = open.flatMap((row) => tractorsInQuestion(row, nearby.get(row)));
	const details = await settle(listTractorDetails(client, ids.map(asText).filter(Boolean)));
	// Many rows have the same tractors nearby.
	const services = new Map<string, OfferedService[] | undefined>();
	const servicesNear: ServicesNear = (tractor) => {
		const id = asText(identifierOf(tractor, 'tractor'));
		const record = details instanceof ServiceError ? undefined : details.get(id);
		if (!services.has(id)) services.set(id, servicesOf({ ...tractor, ...record }));
		return services.get(id);
	};
	const choose = (row: ParsedRow, counts: Workload): CheckedRow => {
		if (!row.wantsNearest && row.serviceName === undefined)
			return withOwnTractor({ ...row, kind: 'ready' }, counts);
		const found = nearby.get(row) ?? [];
		if (found instanceof ServiceError) return rejected(row, found);
		if (details instanceof ServiceError) return rejected(row, details);
		if (row.wantsNearest) return chooseNearest(row, found, servicesNear, counts);
		const numbered = withServiceNumber(row, details);
		return numbered.kind === 'ready' ? withOwnTractor(numbered, counts) : numbered;
	};
	return rows.map((row) => {
		if (row.kind === 'parsed') return choose(row, workload);
		const draft = draftOf(row);
		// What is wrong with the service of a row is said beside its other issues.
		return row.kind === 'finished' && draft
			? withIssuesOf(row, choose(draft, new Workload()))
			: row;
	});
}

/** What can be checked of a row that is not booked as it is: it names a service, and a tractor or a place. */
function draftOf(row: Row | IdentifiedRow): ParsedRow | undefined {
	const draft = row.kind === 'finished' ? row.draft : row;
	if (draft?.kind !== 'parsed') return undefined;
	const { wantsNearest, serviceName, request } = draft;
	const hasService = serviceName !== undefined || request.serviceType !== undefined;
	const isNearest = wantsNearest && hasService && request.latitude !== undefined;
	const isNamed = !wantsNearest && serviceName !== undefined && request.tractorId !== undefined;
	return isNearest || isNamed ? draft : undefined;
}

/** A row with its issues, and with those that were found with its tractor or service. */
function withIssuesOf(row: FinishedRow, checked: CheckedRow): FinishedRow {
	const own = row.failure;
	const failure = checked.kind === 'finished' ? checked.failure : undefined;
	return own instanceof InvalidInputError && failure instanceof InvalidInputError
		? rejected(row, [...own.issues, ...failure.issues])
		: row;
}

/** Searches for tractors near rows of a sheet that is not booked as it is. */
const MAX_SEARCHES = 20;

/**
 * The rows of a sheet that is not booked as it is that are wrong, or whose tractors and services were looked at. Of those
 * that want the nearest tractor, the first of each service is.
 */
export async function checkServices(
	client: ServiceClient,
	rows: ReadonlyArray<Row | IdentifiedRow>,
): Promise<CheckedRow[]> {
	const searched = new Set<unknown>();
	const sample = rows.flatMap((row): Row[] => {
		const draft = draftOf(row);
		if (!draft || row.kind === 'identified') return [];
		if (!draft.wantsNearest) return [row];
		const service = draft.serviceName ?? draft.request.serviceType;
		if (searched.has(service) || searched.size === MAX_SEARCHES) return [];
		searched.add(service);
		return [row];
	});
	const checked = new Map(
		(await chooseTractors(client, sample)).map((row) => [row.itemIndex, row] as const),
	);
	return rows
		.map((row) => checked.get(row.itemIndex) ?? row)
		.filter((row) => row.kind === 'finished' || row.kind === 'ready');
}
