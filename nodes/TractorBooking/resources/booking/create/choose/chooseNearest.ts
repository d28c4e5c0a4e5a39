import type { IDataObject } from 'n8n-workflow';

import { identifierOf } from '../../../../api/identifiers';
import type { OfferedService } from '../../../../api/services';
import { findService, listServices } from '../../../../api/services';
import { parseInteger } from '../../../../parse/numbers';
import { asText } from '../../../../utils/text';
import type { FinishedRow, ParsedRow, ReadyRow } from '../row';
import { fixById, rejectedFor } from '../row';
import { BY, measureFor, type Measure } from './measure';
import type { Workload } from './workload';

/** A tractor that may be chosen for a row. */
interface Candidate {
	id: string;
	/** How far it is from the farm by the measure that was used; undefined if nothing tells. */
	away?: number;
	nearby: IDataObject;
	services?: OfferedService[];
}

/** The services of a tractor that was found nearby. */
export type ServicesNear = (tractor: IDataObject, id: string) => OfferedService[] | undefined;

/** A number with its noun. */
export const counted = (count: number, noun: string) => `${count} ${noun}${count === 1 ? '' : 's'}`;

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
	const free = fitting.filter(({ id }) => !workload.isFull(id, row));
	const [nearest] = free;
	if (!nearest)
		return withoutTractor(
			row,
			`has ${counted(fitting.length, 'tractor')} nearby, but each has ${counted(maximumRows, 'row')} of ${row.request.serviceDate} already`,
			'choose another day, or raise Options > Rows per Tractor and Day',
		);
	const isLess = (a: Candidate, b: Candidate) =>
		workload.rowsOf(a.id, row) < workload.rowsOf(b.id, row);
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
export function chooseNearest(
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
	if (ready.kind === 'ready') workload.add(chosen.id, row);
	return ready;
}
