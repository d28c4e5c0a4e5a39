import { hash, Random, SEED } from './random.cts';
import { MODELS, NAMES, SERVICES, TOWNS, type Service, type Town } from './seedData.cts';

/** A tractor as the sandbox keeps it. What the endpoints show of it is the routes' business. */
export interface Tractor {
	id: number;
	name: string;
	model: string;
	owner: string;
	/** 1 to 5. */
	rating: number;
	town: Town;
	latitude: number;
	longitude: number;
	services: Service[];
}

export const FIRST_TRACTOR_ID = 201;

/** A tractor made from nothing but its id. */
export function makeTractor(id: number): Tractor {
	const random = new Random(hash(id, SEED));
	const town = TOWNS[(id - FIRST_TRACTOR_ID) % TOWNS.length] ?? TOWNS[0];
	const model = random.pick(MODELS);
	const first = random.integer(SERVICES.length);
	const count = 2 + random.integer(3);
	const services = SERVICES.filter(
		(_, index) => (index - first + SERVICES.length) % SERVICES.length < count,
	);
	return {
		id,
		name: `${model} · ${town.city} ${Math.floor((id - FIRST_TRACTOR_ID) / TOWNS.length) + 1}`,
		model,
		owner: `${random.pick(NAMES[town.country].given)} ${random.pick(NAMES[town.country].family)}`,
		rating: Math.round(30 + random.next() * 20) / 10,
		town,
		latitude: near(town.latitude, random),
		longitude: near(town.longitude, random),
		services,
	};
}

/** A coordinate within some 20 km of another. */
export function near(coordinate: number, random: Random): number {
	return Math.round((coordinate + (random.next() - 0.5) * 0.36) * 1e5) / 1e5;
}

const EARTH_RADIUS_KM = 6371;

/** Great-circle distance in kilometres. */
export function distanceKm(
	a: { latitude: number; longitude: number },
	b: { latitude: number; longitude: number },
): number {
	const radians = (degrees: number) => (degrees * Math.PI) / 180;
	const h =
		Math.sin(radians(b.latitude - a.latitude) / 2) ** 2 +
		Math.cos(radians(a.latitude)) *
			Math.cos(radians(b.latitude)) *
			Math.sin(radians(b.longitude - a.longitude) / 2) ** 2;
	return 2 * EARTH_RADIUS_KM * Math.asin(Math.sqrt(h));
}
