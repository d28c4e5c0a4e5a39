import type { IDataObject } from 'n8n-workflow';

import type { ServiceClient } from '../../../api/client';
import { findNearbyTractors, listTractorDetails } from '../../../api/endpoints';
import { settle, ServiceError } from '../../../api/errors';
import { identifierOf, toKey, type BookingKey } from '../../../api/records';
import { findService, namesOfServices, servicesOf } from '../../../api/services';
import type { OfferedService } from '../../../api/services';
import { comparableDistance, nearestFirst } from '../../../parse/distance';
import { InvalidInputError } from '../../../parse/issue';
import { parseInteger } from '../../../parse/numbers';
import { mapConcurrent } from '../../../utils/mapConcurrent';
import { memoize } from '../../../utils/memoize';
import { asText } from '../../../utils/text';
import type { BookingRequest } from './fields';
import type { CheckedRow, FinishedRow, IdentifiedRow, ParsedRow, ReadyRow, Row } from './row';
import { fixById, rejected, rejectedFor } from './row';

/** Details of tractors by ID; the failure of the request for them is that of all rows that need them. */
type Details = ReadonlyMap<string, IDataObject> | ServiceError;

const idOf = (tractor: IDataObject) => asText(identifierOf(tractor, 'tractor'));

const counted = (count: number, noun: string) => `${count} ${noun}${count === 1 ? '' : 's'}`;

const nearby = ({ length }: readonly unknown[]) => `has ${counted(length, 'tractor')} nearby`;

/** What is wrong if no tractor that fits may take a row. */
const full = ({ request, settings }: ParsedRow) =>
	[
		`already has ${counted(settings.maximumRows, 'booking')} on ${request.serviceDate}`,
		'choose another day or tractor, or raise Options > Bookings per Tractor and Day',
	] as const;

/**
 * The row with the issue of its service, which the tractors do not offer, or not under a number.
 *
 * @param who the tractors: `tractor 201`
 * @param or what else can be changed
 */
function notOffered(
	row: ParsedRow,
	who: string,
	services: readonly OfferedService[],
	or: string,
): FinishedRow {
	const { request, serviceName: name, wantsNearest } = row;
	const value = name ?? request.serviceType;
	if (name !== undefined && (services.length === 0 || findService(services, { name }))) {
		const problem = `has no number of its own in the details of ${who}`;
		const fix = `write the number of the service type${wantsNearest ? `, and ${fixById(row)}` : ''}`;
		return rejectedFor(row, 'serviceType', value, problem, fix);
	}
	const choices = namesOfServices(services);
	const problem = `is not among the services of ${who}: ${choices.join(', ')}`;
	const fix = `change the service type${or}`;
	return rejected(row, [{ field: 'serviceType', value, problem, fix, choices }]);
}

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
	const { id: serviceType } = findService(services, { name }) ?? {};
	return serviceType === undefined
		? notOffered(row, `tractor ${tractorId}`, services, ' or the tractor')
		: { ...row, kind: 'ready', request: { ...request, serviceType } };
}

const MAXIMUM_DISTANCE = 'Options > Maximum Distance of the Tractor';

/** Gives a row the nearest of the tractors nearby that has a number, offers its service and has rows left that day. */
function withNearest(
	row: ParsedRow,
	records: readonly IDataObject[],
	servicesNear: (tractor: IDataObject) => OfferedService[],
	take: (tractorId: number) => boolean,
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

	const isSilent = name === undefined && near.every(({ services }) => services.length === 0);
	const fitting =
		isSilent && settings.acceptUnknownServices
			? near
			: near.filter(({ service }) => service?.id !== undefined);
	if (fitting.length === 0 && isSilent)
		return without(
			`${nearby(near)}, but their details do not name their services`,
			`turn on Options > Accept Tractors That Name No Services, or ${byId}`,
		);
	if (fitting.length === 0) {
		const farther = maximumDistance < Infinity ? `, raise ${MAXIMUM_DISTANCE}` : '';
		const offered = near.flatMap(({ services }) => services);
		const who = `${counted(near.length, 'tractor')} nearby`;
		return notOffered(row, who, offered, `${farther}, or ${byId}`);
	}
	const chosen = fitting.find(({ id }) => take(id));
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

/**
 * Third stage: chooses the nearest tractor for the rows that want it, and finds the numbers of services given by name.
 *
 * @returns the rows in the same order; rejected if no tractor or service fits, or a request failed
 */
export async function chooseTractors(
	client: ServiceClient,
	rows: readonly Row[],
): Promise<CheckedRow[]> {
	const counts = new Map<string, number>();
	/** Counts a row as one of a tractor, unless that has as many as it may have on that day. */
	const take = (tractorId: BookingKey | undefined, { request, settings }: Row) => {
		const key = `${request?.serviceDate} ${tractorId}`;
		const count = counts.get(key) ?? 0;
		if (count < settings.maximumRows) counts.set(key, count + 1);
		return count < settings.maximumRows;
	};
	for (const row of rows) {
		const { booking, earlier } = row.kind === 'finished' ? row : {};
		// A row that is typed twice has one booking.
		if (booking && !earlier) take(toKey(booking.tractorPairedTo ?? booking.tractorId), row);
	}
	const open = rows.flatMap((row) => draftOf(row) ?? []);
	// One search for each place. A failure is that of its rows.
	const search = memoize(
		async ({ latitude = 0, longitude = 0 }: BookingRequest) =>
			await settle(findNearbyTractors(client, latitude, longitude)),
		({ latitude, longitude }) => `${latitude}, ${longitude}`,
	);
	const near = new Map(
		await mapConcurrent(
			open,
			async (row) => [row, row.wantsNearest ? await search(row.request) : []] as const,
		),
	);
	const ids = [...near].flatMap(([{ wantsNearest, request }, found]) => {
		if (!wantsNearest) return asText(request.tractorId);
		return found instanceof ServiceError ? [] : found.map(idOf);
	});
	const details: Details = await settle(listTractorDetails(client, ids.filter(Boolean)));
	// Many rows have the same tractors nearby.
	const servicesNear = memoize((tractor: IDataObject) => {
		const record = details instanceof ServiceError ? undefined : details.get(idOf(tractor));
		return servicesOf({ ...tractor, ...record }) ?? [];
	}, idOf);
	const choose = (row: ParsedRow, takeOne: (id?: number) => boolean): CheckedRow => {
		if (!row.wantsNearest) {
			const { tractorId } = row.request;
			const found = withOwnTractor(row, details);
			const hasRoom = found.kind === 'finished' || takeOne(tractorId);
			return hasRoom ? found : rejectedFor(row, 'tractorId', tractorId, ...full(row));
		}
		const found = near.get(row) ?? [];
		if (found instanceof ServiceError) return rejected(row, found);
		if (details instanceof ServiceError) return rejected(row, details);
		return withNearest(row, found, servicesNear, takeOne);
	};
	return rows.map((row) => {
		if (row.kind === 'parsed') return choose(row, (id) => take(id, row));
		const draft = draftOf(row);
		if (row.kind !== 'finished' || !draft) return row;
		// What is wrong with the service of a row is said beside its other issues.
		const checked = choose(draft, () => true);
		const [own, more] = [row, checked].map((one) => ('failure' in one ? one.failure : undefined));
		return own instanceof InvalidInputError && more instanceof InvalidInputError
			? rejected(row, [...own.issues, ...more.issues])
			: row;
	});
}

/** What is to be looked up of a row, also if it has issues: it names a service, and a tractor or a place. */
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
	const sample = rows.flatMap((row): Row[] => {
		if (row.kind !== 'finished' && row.kind !== 'parsed') return [];
		const { wantsNearest, serviceName, request } = draftOf(row) ?? {};
		const service = serviceName ?? request?.serviceType;
		const isNew = !searched.has(service) && searched.size < MAX_SEARCHES;
		if (request && (isNew || !wantsNearest)) {
			if (wantsNearest) searched.add(service);
			return [row];
		}
		return row.kind === 'finished' ? [{ ...row, draft: undefined }] : [];
	});
	return await chooseTractors(client, sample);
}
