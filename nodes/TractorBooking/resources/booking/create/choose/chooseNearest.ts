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
	/** How far it is from the farm, in the unit of the service; undefined if that cannot be read. */
	away?: number;
	distance: IDataObject[string];
	/** Empty or undefined if its details name none. */
	services?: OfferedService[];
	/** The one that the row wants. */
	service?: OfferedService;
}

/** The services of a tractor that was found nearby. */
export type ServicesNear = (tractor: IDataObject) => OfferedService[] | undefined;

/** A number with its noun. */
export const counted = (count: number, noun: string) => `${count} ${noun}${count === 1 ? '' : 's'}`;

const MAXIMUM_DISTANCE = 'Options > Maximum Distance of the Tractor';

/** How many rows of the sheet each tractor has on a day. */
export class Workload {
	private readonly rows = new Map<string, number>();

	/** The rows that a tractor has on the day of a row. */
	rowsOf(tractorId: BookingKey | undefined, { request }: Pick<OpenRow, 'request'>): number {
		return this.rows.get(`${request.serviceDate} ${tractorId}`) ?? 0;
	}

	/** Whether a tractor has as many rows of the day as the settings of the row allow. */
	isFull(tractorId: number | undefined, row: OpenRow): boolean {
		return this.rowsOf(tractorId, row) >= (row.settings.maximumRows ?? Infinity);
	}

	/** Counts a row that a tractor has. */
	add(tractorId: BookingKey | undefined, row: Pick<OpenRow, 'request'>): void {
		this.rows.set(`${row.request.serviceDate} ${tractorId}`, this.rowsOf(tractorId, row) + 1);
	}
}

/** The service that a row wants, as services are searched for; undefined if it names none. */
function wantedBy({ request: { serviceType: id }, serviceName: name }: ParsedRow) {
	if (id !== undefined) return { id };
	return name ? { name } : undefined;
}

/**
 * The tractors near a farm that have a number which a booking can name, the nearest first. The service's own order says
 * nothing.
 */
function candidatesFor(
	row: ParsedRow,
	nearby: readonly IDataObject[],
	servicesNear: ServicesNear,
): Candidate[] {
	const wanted = wantedBy(row);
	const candidates = nearby.flatMap((tractor): Candidate[] => {
		const id = parseInteger(identifierOf(tractor, 'tractor'));
		if (!id.ok) return [];
		const away = comparableDistance(tractor, 'distance');
		const services = servicesNear(tractor);
		const service = wanted && findService(services ?? [], wanted);
		return [{ id: id.value, away, distance: tractor.distance, services, service }];
	});
	// Infinity minus Infinity is NaN.
	return candidates.sort((a, b) => (a.away ?? Infinity) - (b.away ?? Infinity) || 0);
}

/** What is wrong with the place of a row, or with its service. */
type Problem = [problem: string, fix: string, field?: 'serviceType', choices?: string[]];

/** One thing that a tractor must have, and what is wrong with a row if none has it. */
interface Condition {
	/** Those of the tractors that have it. */
	narrow: (left: readonly Candidate[]) => readonly Candidate[];
	/** @param left the tractors before this condition */
	otherwise: (left: readonly Candidate[]) => Problem;
}

const isSilent = ({ services }: Candidate) => !services?.length;

/** The tractors that offer the service of a row with its number, or may offer it. */
function offering(row: ParsedRow, left: readonly Candidate[]): readonly Candidate[] {
	if (!wantedBy(row)) return left;
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

const nearby = ({ length }: readonly unknown[]) => `has ${counted(length, 'tractor')} nearby`;

/** What a tractor must have to be chosen for a row, one after the other. @param found all that were found nearby */
function conditionsFor(row: ParsedRow, found: readonly unknown[], workload: Workload): Condition[] {
	const { request, settings } = row;
	const { maximumDistance, maximumRows = 0 } = settings;
	const limit = maximumDistance === undefined ? '' : ` within ${maximumDistance}`;
	const byId = fixById(row);
	return [
		{
			narrow: (left) => left,
			otherwise: () =>
				found.length > 0
					? [`${nearby(found)}, but none with a number to book it by`, byId]
					: [`has no tractor nearby${limit}`, `check the coordinate, or ${byId}`],
		},
		{
			// The only one is the nearest, however far away it is.
			narrow: (left) =>
				left.length === 1 && !limit ? left : left.filter(({ away }) => away !== undefined),
			otherwise: (left) => [
				`${nearby(left)}, but the service does not say how far away`,
				limit ? `remove ${MAXIMUM_DISTANCE}, or ${byId}` : byId,
			],
		},
		{
			narrow: (left) => left.filter(({ away = 0 }) => away <= (maximumDistance ?? Infinity)),
			otherwise: (left) => [
				`has no tractor nearby${limit} (the nearest of ${left.length} has distance ${left[0]?.away})`,
				`raise ${MAXIMUM_DISTANCE}`,
			],
		},
		{
			narrow: (left) => offering(row, left),
			otherwise: (left) => notOffered(row, left),
		},
		{
			narrow: (left) => left.filter(({ id }) => !workload.isFull(id, row)),
			otherwise: (left) => [
				`${nearby(left)}, but each has ${counted(maximumRows, 'row')} of ${request.serviceDate} already`,
				'choose another day, or raise Options > Bookings per Tractor and Day',
			],
		},
	];
}

/** The row as one for which no tractor can be chosen. */
function withoutTractor(row: ParsedRow, [problem, fix, field, choices]: Problem): FinishedRow {
	const { latitude, longitude, serviceType } = row.request;
	const value = field ? (row.serviceName ?? serviceType) : `${latitude}, ${longitude}`;
	return rejected(row, [{ field: field ?? 'coordinates', value, problem, fix, choices }]);
}

/** Why a tractor was chosen. @param count how many fit the row */
function reasonFor(row: ParsedRow, which: string, { service }: Candidate, count: number): string {
	const { request, serviceName, settings } = row;
	const wanted = serviceName ? `"${serviceName}"` : `service type ${request.serviceType}`;
	const offers = service ? ` that ${count === 1 ? 'offers' : 'offer'} ${wanted}` : '';
	const limit = settings.maximumDistance === undefined ? '' : ` within ${settings.maximumDistance}`;
	const unknown = wantedBy(row) && !service ? '; whether it offers the service is unknown' : '';
	return `${which} of ${counted(count, 'tractor')}${limit}${offers}${unknown}`;
}

/**
 * Gives a row the nearest of the tractors nearby that has a number, offers its service and has rows left that day.
 */
export function chooseNearest(
	row: ParsedRow,
	records: readonly IDataObject[],
	servicesNear: ServicesNear,
	workload: Workload,
): ReadyRow | FinishedRow {
	const { request } = row;
	let left: readonly Candidate[] = candidatesFor(row, records, servicesNear);
	let fitting = left;
	for (const { narrow, otherwise } of conditionsFor(row, records, workload)) {
		fitting = left;
		left = narrow(fitting);
		if (left.length === 0) return withoutTractor(row, otherwise(fitting));
	}
	const [chosen] = left;
	if (!chosen) throw new Error('No condition is left without a tractor');
	const which = chosen === fitting[0] ? 'nearest' : 'nearest with rows left that day';
	workload.add(chosen.id, row);
	const { id: TractorID, distance, service } = chosen;
	const reason = reasonFor(row, which, chosen, fitting.length);
	return {
		...row,
		kind: 'ready',
		request: { ...request, serviceType: service?.id ?? request.serviceType, tractorId: TractorID },
		tractor: { TractorID, distance, reason },
	};
}
