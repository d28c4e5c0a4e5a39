import axios, { type AxiosInstance } from 'axios';
import { KEYS, startSandbox, type Sandbox, type SandboxOptions } from '../../sandbox/index.cts';

/** A sandbox for the tests of one file, put back to its start before each of them. */
export function sandboxForTests(options: SandboxOptions = {}) {
	let sandbox: Sandbox;
	beforeAll(async () => {
		sandbox = await startSandbox(options);
	});
	beforeEach(() => sandbox.reset());
	afterAll(() => sandbox.close());
	return {
		get sandbox() {
			return sandbox;
		},
		/** A client that takes every status as a response and follows no redirect. */
		client(authorization: string | null = `Api-Key ${KEYS.full}`): AxiosInstance {
			return axios.create({
				baseURL: sandbox.url,
				headers: authorization === null ? {} : { Authorization: authorization },
				validateStatus: () => true,
				maxRedirects: 0,
				timeout: 5_000,
			});
		},
	};
}

/** Something to ask of each endpoint. */
export const PATHS = {
	nearby: '/booking-services/tractor/nearby/10.52/7.44/',
	details: '/booking-services/tractor/201,202/detail/',
	create: '/booking-services/booking-agent/service-booking/',
	booking: '/booking-services/partner/booking/100001',
	bookings: '/booking-services/partner/booking/1/20',
	tractors: '/v1/tractors',
	tractor: '/v1/tractors/201',
	contracts: '/payg/lms/contracts',
};

/** A booking that the service takes. */
export function validBooking() {
	return {
		tractorId: 201,
		serviceType: 3,
		serviceDate: '2099-05-17',
		landArea: 2.5,
		areaType: 'ha',
		farmerName: 'Amina Bello',
		farmerPhone: '+2348000000042',
		gender: 1,
		latitude: 10.5,
		longitude: 7.4,
		farmLocation: 'Behind the mill',
		farmNote: 'Stones on the east side',
		crop: 'maize',
	};
}
