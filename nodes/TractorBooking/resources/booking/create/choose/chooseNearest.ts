import type { IDataObject } from 'n8n-workflow';

import type { BookingKey } from '../../../../api/records';
import { identifierOf } from '../../../../api/records';
import type { OfferedService } from '../../../../api/services';
import { findService, listServices, namesOfServices } from '../../../../api/services';
import { comparableDistance } from '../../../../parse/distance';
import { parseInteger } from '../../../../parse/numbers';
import type { FinishedRow, OpenRow, ParsedRow, ReadyRow } from '../row';
import { fixById, rejected } from '../row';

/** A tractor that may be chosen for a row. */
interface Candidate {
	id: number;
	/** How far it is from the farm, in the unit of the service, if that can be read. */
	away?: number;
	distance: IDataObject[string];
	/** Empty or undefined if its details name none. */
	services?: OfferedService[];
	/** The one that the row wants. */
	service?: OfferedService;
}

/** The services of a tractor that was found nearby. */
export type ServicesNear = (tractor: IDataObject) => OfferedService[] | undefined;

export const counted = (count: number, noun: string) => `${count} ${noun}${count === 1 ? '' : 's'}`;

const MAXIMUM_DISTANCE = 'Options > Maximum Distance of the Tractor';

/** How many rows of the sheet each tractor has on a day. */
export class Workload {
	private readonly rows = new Map<string, number>();

	/** The rows that a tractor has on the day of a row. */
	rowsOf(tractorId: BookingKey | undefined, { request }: Pick<OpenRow, 'request'>): number {
		return this.rows.get(`${request.serviceDate} ${tractorId}`) ?? 0;
	}

	isFull(tractorId: number | undefined, row: OpenRow): boolean {
		return this.rowsOf(tractorId, row) >= (row.settings.maximumRows ?? Infinity);
	}

	add(tractorId: BookingKey | undefined, row: Pick<OpenRow, 'request'>): void {
		this.rows.set(`${row.request.serviceDate} ${tractorId}`, this.rowsOf(tractorId, row) + 1);
	}
}

/** The tractors near a farm that a booking can name, the nearest first: the service's own order says nothing. */
function candidatesFor(
	row: ParsedRow,
	nearby: readonly IDataObject[],
	servicesNear: ServicesNear,
): Candidate[] {
	const { serviceName: name, request } = row;
	const wanted = name === undefined ? { id: request.serviceType } : { name };
	const candidates = nearby.flatMap((tractor): Candidate[] => {
		const id = parseInteger(identifierOf(tractor, 'tractor'));
		if (!id.ok) return [];
		const away = comparableDistance(tractor, 'distance');
		const services = servicesNear(tractor);
		const service = findService(services ?? [], wanted);
		return [{ id: id.value, away, distance: tractor.distance, services, service }];
	});
	// Infinity minus Infinity is NaN.
	return candidates.sort((a, b) => (a.away ?? Infinity) - (b.away ?? Infinity) || 0);
}

type Problem = [problem: string, fix: string, field?: 'serviceType', choices?: string[]];

const isSilent = ({ services }: Candidate) => !services?.length;

const nearby = ({ length }: readonly unknown[]) => `has ${counted(length, 'tractor')} nearby`;

/** Those that offer the service of a row with its number, or may offer it. */
function offering(row: ParsedRow, left: readonly Candidate[]): readonly Candidate[] {
	const isNumber = row.serviceName === undefined;
	const some = left.filter(({ service }) => service && (isNumber || service.id !== undefined));
	const acceptsSilent = row.settings.acceptUnknownServices && isNumber;
	return some.length === 0 && acceptsSilent ? left.filter(isSilent) : some;
}

/** What is wrong with a row if no tractor offers its service. */
function notOffered(row: ParsedRow, left: readonly Candidate[]): Problem {
	const byId = fixById(row);
	const writeNumber = `write the number of the service type, and ${byId}`;
	const count = counted(left.length, 'tractor');
	if (left.every(isSilent)) {
		const accept = `turn on Options > Accept Tractors That Name No Services, or ${byId}`;
		const fix = row.serviceName === undefined ? accept : writeNumber;
		return [`${nearby(left)}, but their details do not name their services`, fix];
	}
	if (left.some(({ service }) => service))
		return [
			`has no number of its own in the details of ${count} nearby`,
			writeNumber,
			'serviceType',
		];
	const offered = left.flatMap(({ services = [] }) => services);
	const farther = row.settings.maximumDistance === undefined ? '' : ` raise ${MAXIMUM_DISTANCE},`;
	return [
		`is offered by none of ${count} nearby; they offer ${listServices(offered)}`,
		`change the service type,${farther} or ${byId}`,
		'serviceType',
		namesOfServices(offered),
	];
}

/** Gives a row the nearest of the tractors nearby that has a number, offers its service and has rows left that day. */
export function chooseNearest(
	row: ParsedRow,
	records: readonly IDataObject[],
	servicesNear: ServicesNear,
	workload: Workload,
): ReadyRow | FinishedRow {
	const { request, serviceName, settings } = row;
	const { maximumDistance, maximumRows = 0 } = settings;
	const limit = maximumDistance === undefined ? '' : ` within ${maximumDistance}`;
	const byId = fixById(row);
	const without = (problem: string, fix: string, field?: 'serviceType', choices?: string[]) => {
		const place = `${request.latitude}, ${request.longitude}`;
		const value = field ? (serviceName ?? request.serviceType) : place;
		return rejected(row, [{ field: field ?? 'coordinates', value, problem, fix, choices }]);
	};

	const numbered = candidatesFor(row, records, servicesNear);
	if (records.length === 0)
		return without(`has no tractor nearby${limit}`, `check the coordinate, or ${byId}`);
	if (numbered.length === 0)
		return without(`${nearby(records)}, but none with a number to book it by`, byId);
	// The only one is the nearest, however far away it is.
	const isOnly = numbered.length === 1 && !limit;
	const located = isOnly ? numbered : numbered.filter(({ away }) => away !== undefined);
	if (located.length === 0)
		return without(
			`${nearby(numbered)}, but the service does not say how far away`,
			limit ? `remove ${MAXIMUM_DISTANCE}, or ${byId}` : byId,
		);
	const near = located.filter(({ away = 0 }) => away <= (maximumDistance ?? Infinity));
	if (near.length === 0)
		return without(
			`has no tractor nearby${limit} (the nearest of ${located.length} has distance ${located[0]?.away})`,
			`raise ${MAXIMUM_DISTANCE}`,
		);
	const fitting = offering(row, near);
	if (fitting.length === 0) return without(...notOffered(row, near));
	const chosen = fitting.find(({ id }) => !workload.isFull(id, row));
	if (!chosen)
		return without(
			`${nearby(fitting)}, but each already has ${counted(maximumRows, 'booking')} on ${request.serviceDate}`,
			'choose another day, or raise Options > Bookings per Tractor and Day',
		);

	workload.add(chosen.id, row);
	const { id: TractorID, distance, service } = chosen;
	const which = chosen === fitting[0] ? 'nearest' : 'nearest with rows left that day';
	const offers = service ? ' with the service' : '; whether it offers the service is unknown';
	const reason = `${which} of ${counted(fitting.length, 'tractor')}${offers}`;
	return {
		...row,
		kind: 'ready',
		request: { ...request, serviceType: service?.id ?? request.serviceType, tractorId: TractorID },
		tractor: { TractorID, distance, reason },
	};
}
