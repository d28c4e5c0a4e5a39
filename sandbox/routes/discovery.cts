import { Type } from '@sinclair/typebox';
import type { Context } from '../context.cts';
import { InvalidRequest } from '../guard.cts';
import { hash } from '../random.cts';
import { distanceKm, type Tractor } from '../tractors.cts';
import type { App } from '../typebox.cts';

const decimal = Type.String({ pattern: '^-?\\d+(\\.\\d+)?$' });

/** How fast a tractor drives to a farm. */
const KM_PER_MINUTE = 0.5;

/** Finding tractors and reading their details (interface, "Find nearby tractors" and "Tractor details"). */
export function discoveryRoutes(app: App, context: Context): void {
	const { settings, store } = context;

	app.get(
		'/booking-services/tractor/nearby/:lat/:lng/',
		{
			config: { endpoint: 'nearby', scope: 'booking:tractors:nearby' },
			schema: { params: Type.Object({ lat: decimal, lng: decimal }) },
		},
		async (request) => {
			const latitude = Number(request.params.lat);
			const longitude = Number(request.params.lng);
			if (Math.abs(latitude) > 90) throw new InvalidRequest('lat is out of range');
			if (Math.abs(longitude) > 180) throw new InvalidRequest('lng is out of range');
			return (
				[...store.tractors.values()]
					.map((tractor) => ({ tractor, km: distanceKm({ latitude, longitude }, tractor) }))
					.filter(({ km }) => km <= settings.nearbyRadiusKm)
					// In no useful order: callers that want one must sort.
					.sort((a, b) => hash(a.tractor.id) - hash(b.tractor.id))
					.map(({ tractor, km }) => ({
						...position(tractor),
						minsAway: Math.ceil(km / KM_PER_MINUTE),
						distance: Math.round(km * 100) / 100,
					}))
			);
		},
	);

	app.get(
		'/booking-services/tractor/:tractor_ids/detail/',
		{
			config: { endpoint: 'details', scope: 'booking:tractors:details' },
			schema: { params: Type.Object({ tractor_ids: Type.String({ minLength: 1 }) }) },
		},
		async (request) => {
			const ids = [...new Set(request.params.tractor_ids.split(',').map((id) => id.trim()))];
			const found = ids.map((id) => store.tractors.get(Number(id))).filter((t) => t !== undefined);
			return found.map(detail);
		},
	);

	/** The fields that both responses carry. */
	function position({ id, latitude, longitude }: Tractor) {
		return {
			_id: `65f0${hash(id).toString(16).padStart(8, '0')}${id.toString(16).padStart(12, '0')}`,
			TractorID: id,
			PositionLatitude: latitude,
			PositionLongitude: longitude,
		};
	}

	function detail(tractor: Tractor) {
		const { name, model, owner, rating, town, services } = tractor;
		const { city, state, country } = town;
		return {
			...position(tractor),
			name,
			model,
			owner,
			rating,
			location: { city, state, country },
			services: services.map(({ id, name: service }) => ({ id, name: service })),
			implements: services.map(({ implement }) => implement),
		};
	}
}
