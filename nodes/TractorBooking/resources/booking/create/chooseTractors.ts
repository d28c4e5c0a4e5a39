import type { IDataObject } from 'n8n-workflow';

import type { ServiceClient } from '../../../api/client';
import { findNearbyTractors, listTractorDetails } from '../../../api/endpoints';
import { settle, ServiceError } from '../../../api/errors';
import { identifierOf, toKey, type BookingKey } from '../../../api/records';
import { findService, listServices, namesOfServices, servicesOf } from '../../../api/services';
import type { OfferedService } from '../../../api/services';
import { comparableDistance, nearestFirst } from '../../../parse/distance';
import { InvalidInputError } from '../../../parse/issue';
import { parseInteger } from '../../../parse/numbers';
import { mapConcurrent } from '../../../utils/mapConcurrent';
import { memoize } from '../../../utils/memoize';
import { asText } from '../../../utils/text';
import type { CheckedRow, FinishedRow, IdentifiedRow, ParsedRow, ReadyRow, Row } from './row';
import { fixById, rejected, rejectedFor } from './row';

/** Details of tractors by ID; the failure of the request for them is that of all rows that need them. */
type Details = ReadonlyMap<string, IDataObject> | ServiceError;

/** The services that the details of a tractor name; none if they say nothing about services. */
type ServicesOf = (tractor: IDataObject) => OfferedService[];

const idOf = (tractor: IDataObject) => asText(identifierOf(tractor, 'tractor'));

const counted = (count: number, noun: string) => `${count} ${noun}${count === 1 ? '' : 's'}`;

const nearby = ({ length }: readonly unknown[]) => `has ${counted(length, 'tractor')} nearby`;

/** How many rows of the sheet each tractor has on a day. */
class Workload {
	private readonly rows = new Map<string, number>();

	/** Counts a row, unless its tractor has as many as it may have on that day. */
	take(tractorId: BookingKey | undefined, { request, settings }: Row): boolean {
		const key = `${request?.serviceDate} ${tractorId}`;
		const count = this.rows.get(key) ?? 0;
		if (count >= settings.maximumRows) return false;
		this.rows.set(key, count + 1);
		return true;
	}
}

/** What is wrong if no tractor that fits may take a row. */
const full = ({ request, settings }: ParsedRow) =>
	[
		`already has ${counted(settings.maximumRows, 'booking')} on ${request.serviceDate}`,
		'choose another day or tractor, or raise Options > Bookings per Tractor and Day',
	] as const;

/** An issue with the service of a row, with what may be written instead. */
const withoutService = (row: ParsedRow, problem: string, fix: string, choices?: string[]) => {
	const value = row.serviceName ?? row.request.serviceType;
	return rejected(row, [{ field: 'serviceType', value, problem, fix, choices }]);
};

/** Finds the number of a service given by name, for a row that names its tractor. */
function withOwnTractor(row: ParsedRow, details: Details): CheckedRow {
	const { request, serviceName: name } = row;
	const { tractorId } = request;
	if (name === undefined) return { ...row, kind: 'ready' };
	if (details instanceof ServiceError) return rejected(row, details);
	const record = details.get(asText(tractorId));
	if (!record) {
		const unknown = 'is not a tractor that the service has details of';
		return rejectedFor(row, 'tractorId', tractorId, unknown, 'check the ID of the tractor');
	}
	const services = servicesOf(record) ?? [];
	const service = findService(services, { name });
	if (!service && services.some(({ id }) => id !== undefined))
		return withoutService(
			row,
			`is not offered by tractor ${tractorId}; it offers ${listServices(services)}`,
			'change the service type or the tractor',
			namesOfServices(services),
		);
	if (service?.id === undefined)
		return withoutService(
			row,
			`has no number of its own in the details of tractor ${tractorId}`,
			'write the number of the service type',
		);
	return { ...row, kind: 'ready', request: { ...request, serviceType: service.id } };
}

const MAXIMUM_DISTANCE = 'Options > Maximum Distance of the Tractor';

/** Gives a row the nearest of the tractors nearby that has a number, offers its service and has rows left that day. */
function withNearest(
	row: ParsedRow,
	records: readonly IDataObject[],
	servicesNear: ServicesOf,
	workload: Workload,
): ReadyRow | FinishedRow {
	const { request, serviceName: name, settings } = row;
	const { maximumDistance } = settings;
	const byId = fixById(row);
	const without = (problem: string, fix: string) =>
		rejectedFor(row, 'coordinates', `${request.latitude}, ${request.longitude}`, problem, fix);

	if (records.length === 0)
		return without('has no tractor nearby', `check the coordinate, or ${byId}`);
	const wanted = name === undefined ? { id: request.serviceType } : { name };
	const located = nearestFirst(records, 'distance').flatMap((tractor) => {
		const id = parseInteger(identifierOf(tractor, 'tractor'));
		const away = comparableDistance(tractor, 'distance');
		if (!id.ok || away === undefined) return [];
		const services = servicesNear(tractor);
		return [{ id: id.value, away, tractor, services, service: findService(services, wanted) }];
	});
	if (located.length === 0)
		return without(`${nearby(records)}, but none with a number and a readable distance`, byId);
	const near = located.filter(({ away }) => away <= maximumDistance);
	if (near.length === 0)
		return without(
			`has no tractor nearby within ${maximumDistance} (the nearest of ${located.length} has distance ${located[0]?.away})`,
			`raise ${MAXIMUM_DISTANCE}`,
		);

	const isNumber = name === undefined;
	const writeNumber = `write the number of the service type, and ${byId}`;
	const areSilent = near.every(({ services }) => services.length === 0);
	const offering = near.filter(({ service }) => service && (isNumber || service.id !== undefined));
	const fitting = areSilent && isNumber && settings.acceptUnknownServices ? near : offering;
	if (fitting.length === 0 && areSilent)
		return without(
			`${nearby(near)}, but their details do not name their services`,
			isNumber
				? `turn on Options > Accept Tractors That Name No Services, or ${byId}`
				: writeNumber,
		);
	const count = counted(near.length, 'tractor');
	if (fitting.length === 0 && near.some(({ service }) => service))
		return withoutService(
			row,
			`has no number of its own in the details of ${count} nearby`,
			writeNumber,
		);
	if (fitting.length === 0) {
		const offered = near.flatMap(({ services }) => services);
		const farther = maximumDistance < Infinity ? ` raise ${MAXIMUM_DISTANCE},` : '';
		return withoutService(
			row,
			`is offered by none of ${count} nearby; they offer ${listServices(offered)}`,
			`change the service type,${farther} or ${byId}`,
			namesOfServices(offered),
		);
	}
	const chosen = fitting.find(({ id }) => workload.take(id, row));
	if (!chosen) {
		const [problem, fix] = full(row);
		return without(`${nearby(fitting)}, but each ${problem}`, fix);
	}
	const { id: tractorId, tractor, service } = chosen;
	const which = chosen === fitting[0] ? 'nearest' : 'nearest with rows left that day';
	const offers = service ? ' with the service' : '; whether it offers the service is unknown';
	const reason = `${which} of ${counted(fitting.length, 'tractor')}${offers}`;
	return {
		...row,
		kind: 'ready',
		request: { ...request, serviceType: service?.id ?? request.serviceType, tractorId },
		tractor: { TractorID: tractorId, distance: tractor.distance, reason },
	};
}

/** The tractors near each row that wants the nearest: one search per distinct coordinate. A failure is that of its rows. */
async function searchNearby(client: ServiceClient, rows: readonly ParsedRow[]) {
	const search = memoize(
		async ([latitude, longitude]: readonly [number, number]) =>
			await settle(findNearbyTractors(client, latitude, longitude)),
		JSON.stringify,
	);
	const found = new Map<ParsedRow, IDataObject[] | ServiceError>();
	await mapConcurrent(
		rows.filter(({ wantsNearest }) => wantsNearest),
		async (row) => {
			const { latitude = 0, longitude = 0 } = row.request;
			found.set(row, await search([latitude, longitude]));
		},
	);
	return found;
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
	const workload = new Workload();
	for (const row of rows) {
		const { booking, earlier } = row.kind === 'finished' ? row : {};
		// A row that is typed twice has one booking.
		if (booking && !earlier)
			workload.take(toKey(booking.tractorPairedTo ?? booking.tractorId), row);
	}
	const open = rows.flatMap((row) => (row.kind === 'parsed' ? row : (draftOf(row) ?? [])));
	const near = await searchNearby(client, open);
	const ids = open.flatMap((row) => {
		const found = near.get(row) ?? [];
		if (!row.wantsNearest)
			return row.serviceName === undefined ? [] : asText(row.request.tractorId);
		return found instanceof ServiceError ? [] : found.map(idOf);
	});
	const details: Details = await settle(listTractorDetails(client, ids.filter(Boolean)));
	// Many rows have the same tractors nearby.
	const servicesNear: ServicesOf = memoize((tractor) => {
		const record = details instanceof ServiceError ? undefined : details.get(idOf(tractor));
		return servicesOf({ ...tractor, ...record }) ?? [];
	}, idOf);
	const choose = (row: ParsedRow, counts: Workload): CheckedRow => {
		if (!row.wantsNearest) {
			const { tractorId } = row.request;
			const found = withOwnTractor(row, details);
			const hasRoom = found.kind === 'finished' || counts.take(tractorId, found);
			return hasRoom ? found : rejectedFor(row, 'tractorId', tractorId, ...full(row));
		}
		const found = near.get(row) ?? [];
		if (found instanceof ServiceError) return rejected(row, found);
		if (details instanceof ServiceError) return rejected(row, details);
		return withNearest(row, found, servicesNear, counts);
	};
	return rows.map((row) => {
		if (row.kind === 'parsed') return choose(row, workload);
		const draft = draftOf(row);
		if (row.kind !== 'finished' || !draft) return row;
		// What is wrong with the service of a row is said beside its other issues.
		const checked = choose(draft, new Workload());
		const [own, more] = [row, checked].map((one) => ('failure' in one ? one.failure : undefined));
		return own instanceof InvalidInputError && more instanceof InvalidInputError
			? rejected(row, [...own.issues, ...more.issues])
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
	const sample = rows.filter((row): row is Row => {
		const draft = draftOf(row);
		if (!draft?.wantsNearest) return draft !== undefined;
		const service = draft.serviceName ?? draft.request.serviceType;
		if (searched.has(service) || searched.size === MAX_SEARCHES) return false;
		searched.add(service);
		return true;
	});
	const checked = await chooseTractors(client, sample);
	const byItem = new Map(checked.map((row) => [row.itemIndex, row] as const));
	return rows
		.map((row) => byItem.get(row.itemIndex) ?? row)
		.filter((row) => row.kind === 'finished' || row.kind === 'ready');
}
