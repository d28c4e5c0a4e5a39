import type { IDataObject, ILoadOptionsFunctions, INodeType } from 'n8n-workflow';
import { isResourceLocatorValue } from 'n8n-workflow';

import { connect, POLL_POLICY, type ServiceClient } from '../api/client';
import { bookingsList, catalogueList, findNearbyTractors, withDetails } from '../api/endpoints';
import { settle, ServiceError, toNodeError } from '../api/errors';
import { collect } from '../api/pages/collect';
import { iterate } from '../api/pages/iterate';
import { identifierOf } from '../api/records';
import { namesOfServices, servicesOf, type OfferedService } from '../api/services';
import { statusLabel } from '../api/status';
import { parseCoordinates } from '../parse/coordinates';
import { nearestFirst } from '../parse/distance';
import { plainId } from '../parse/ids';
import { InvalidInputError } from '../parse/issue';
import { invalid } from '../parse/sentences';
import { asText, cleanText, fold, isEmpty } from '../utils/text';

type Search = NonNullable<NonNullable<INodeType['methods']>['listSearch']>[string];

type ListOption = { name: string; value: string };

/** The options for the records whose names hold the filter, each once. A record without an ID cannot be chosen. */
function matching<T>(
	records: readonly T[],
	toOption: (record: T) => ListOption,
	filter = '',
): ListOption[] {
	const wanted = fold(filter);
	const options = new Map(records.map(toOption).map((option) => [option.value, option]));
	options.delete('');
	return [...options.values()].filter(({ name }) => fold(name).includes(wanted));
}

/** A search whose errors n8n's editor can show: as text, not as HTML. */
const search = (find: Search): Search =>
	async function (...given) {
		try {
			return await find.apply(this, given);
		} catch (error) {
			throw toNodeError(this.getNode(), error);
		}
	};

/** Per search; loading more results continues after them. */
const MAX_PAGES_PER_SEARCH = 5;

/** `3 – Ploughing`: an identifier, and what is known of what it identifies. */
const optionOf = (id: unknown, ...about: unknown[]): ListOption => ({
	name: cleanText([id, ...about].map(asText).filter(Boolean).join(' – ')),
	value: asText(id),
});

function bookingOption(booking: IDataObject): ListOption {
	const { farmerName, farmerPhone, serviceDate, bookingStatus } = booking;
	const id = identifierOf(booking, 'booking');
	// The editor cuts off what does not fit, so what distinguishes bookings comes first.
	return optionOf(id, farmerName, statusLabel(bookingStatus), serviceDate, farmerPhone);
}

/** Bookings for Booking > Get. Reads pages until some match: the service has no search. */
const searchBookings = search(async function (filter, paginationToken) {
	const client = await connect(this, 'apiKey', POLL_POLICY);
	const from = paginationToken === undefined ? undefined : Number(paginationToken);
	let read = 0;
	for await (const page of iterate(bookingsList(client), { from })) {
		const results = matching(page.records, bookingOption, filter);
		read += 1;
		if (page.isLast) return { results };
		if (results.length > 0 || read === MAX_PAGES_PER_SEARCH)
			return { results, paginationToken: String(page.number + 1) };
	}
	return { results: [] };
});

const catalogueOption = (tractor: IDataObject): ListOption =>
	optionOf(identifierOf(tractor, 'tractor'), tractor.tractor_name);

/** Tractors for Catalogue > Get. */
const searchCatalogue = search(async function (filter) {
	const isByKey = this.getCurrentNodeParameter('authentication') === 'apiKey';
	const client = await connect(this, isByKey ? 'apiKey' : 'bearerToken', POLL_POLICY);
	// The catalogue's paging has to be found out, so it is read as a whole.
	return { results: matching(await collect(catalogueList(client)), catalogueOption, filter) };
});

/**
 * The current value of a field in the panel, saved or not. n8n resolves the expressions that it can; for the others it
 * sends nothing, or the expression itself.
 */
function panelField(context: ILoadOptionsFunctions, name: string): unknown {
	const field: unknown = context.getCurrentNodeParameter(name);
	const value = isResourceLocatorValue(field) ? field.value : field;
	return typeof value === 'string' && value.startsWith('=') ? undefined : value;
}

/** The tractors near the coordinate in the panel, nearest first. */
async function nearbyTractors(context: ILoadOptionsFunctions, client: ServiceClient) {
	const latitude = panelField(context, 'latitude');
	const longitude = panelField(context, 'longitude');
	if (isEmpty(latitude) && isEmpty(longitude)) {
		throw new InvalidInputError([{ ...invalid('noPlaceYet'), field: 'Latitude and Longitude' }]);
	}
	const place = parseCoordinates(latitude, longitude);
	const found = await findNearbyTractors(client, place.latitude, place.longitude);
	return nearestFirst(found);
}

/** `201 – distance 3.2 – Ploughing (3), Harrowing (2) – Massey Ferguson 375` */
function nearbyTractorOption(tractor: IDataObject): ListOption {
	const { name, tractor_name: otherName, distance } = tractor;
	const away = isEmpty(distance) ? '' : `distance ${asText(distance)}`;
	const services = namesOfServices(servicesOf(tractor)).join(', ');
	return optionOf(identifierOf(tractor, 'tractor'), away, services, name ?? otherName);
}

/** Tractors near the coordinate in the panel, for Booking > Create. */
const searchTractors = search(async function (filter) {
	const client = await connect(this, 'apiKey', POLL_POLICY);
	const nearby = await nearbyTractors(this, client);
	const detailed = await settle(withDetails(client, nearby));
	// A key may lack the scope of details: then the list says nothing of services.
	const tractors = detailed instanceof ServiceError ? nearby : detailed;
	return { results: matching(tractors, nearbyTractorOption, filter) };
});

const serviceOption = ({ id, name }: OfferedService) => optionOf(id, name);

/** Services of the tractor chosen in the panel, or of those near the coordinate, for Booking > Create. */
const searchServices = search(async function (filter) {
	const client = await connect(this, 'apiKey', POLL_POLICY);
	const isChosen = panelField(this, 'tractorSelection') !== 'nearest';
	const tractorId = isChosen ? plainId(asText(panelField(this, 'tractorId')).trim()) : '';
	const tractors = tractorId ? [{ TractorID: tractorId }] : await nearbyTractors(this, client);
	const detailed = await withDetails(client, tractors);
	const numbered = detailed.flatMap(servicesOf).filter(({ id }) => id !== undefined);
	if (numbered.length === 0 && tractors.length > 0) {
		const whose = tractorId ? 'the tractor' : 'the tractors nearby';
		throw new InvalidInputError([{ ...invalid('noServices', whose), field: 'Service Type' }]);
	}
	numbered.sort((a, b) => Number(a.id) - Number(b.id));
	return { results: matching(numbered, serviceOption, filter) };
});

/** By the names that resource locators call them by. */
export const listSearch = { searchBookings, searchCatalogue, searchServices, searchTractors };
