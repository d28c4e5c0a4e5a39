import { Account } from '../../../nodes/TractorBooking/api/account';
import type { ServiceClient, ServiceRequest } from '../../../nodes/TractorBooking/api/client';
import { settle, ServiceError } from '../../../nodes/TractorBooking/api/errors';
import { bookingsList } from '../../../nodes/TractorBooking/api/endpoints';
import { collect } from '../../../nodes/TractorBooking/api/pages/collect';
import { bookingIndexOf } from '../../../nodes/TractorBooking/resources/booking/create/match/bookingIndex';
import { readNew } from '../../../nodes/TractorBooking/resources/booking/create/match/readList';
import { Service, type Case } from './services.cts';

/** What became of the records that were there all the time. */
export type Outcome =
	'whole' | 'warned' | 'loss with a warning' | 'silent loss' | 'wrong' | 'error';

const KINDS: Partial<Record<number, ServiceError['kind']>> = {
	400: 'validation',
	404: 'notFound',
	422: 'validation',
};

const RETRIES = 2;

function clientOf(service: Service, account: Account): ServiceClient {
	return {
		baseUrl: 'https://service.example',
		account,
		runExclusive: async (task) => await task(),
		hasTimeFor: () => true,
		async send<T>({ path }: ServiceRequest, parse: (body: unknown) => T) {
			const [page = NaN, size = NaN] = path.split('/').slice(-2).map(Number);
			for (let left = RETRIES; ; left--) {
				const answer = await Promise.resolve(service.answer(page, size));
				if ('body' in answer) return parse(answer.body);
				const { status } = answer;
				const isServer = status === 503 || status === 500;
				if (!isServer || left === 0)
					throw new ServiceError(KINDS[status] ?? 'server', `status ${status}`, { status });
			}
		},
	};
}

function serviceOf({ style, length }: Case): Service {
	return new Service(style, length, RETRIES + 1);
}

function outcomeOf(isWhole: boolean, hasWarning: boolean): Outcome {
	if (isWhole) return hasWarning ? 'warned' : 'whole';
	return hasWarning ? 'loss with a warning' : 'silent loss';
}

/** Return All, twice: the second time, the process knows what the first one found out. */
async function returnAll(given: Case): Promise<Outcome[]> {
	const account = new Account();
	const outcomes: Outcome[] = [];
	for (let times = 0; times < 2; times++) {
		const service = serviceOf(given);
		const warnings: string[] = [];
		const warn = (text: string) => void warnings.push(text);
		const result = await settle(collect(bookingsList(clientOf(service, account)), { warn }));
		if (result instanceof ServiceError) {
			outcomes.push('error');
			continue;
		}
		const came = new Set(result.map(({ bookingID }) => bookingID));
		const isWhole = service.lasting.every((id) => came.has(id));
		const isDoubled = came.size < result.length;
		outcomes.push(isDoubled ? 'wrong' : outcomeOf(isWhole, warnings.length > 0));
	}
	return outcomes;
}

/** Create reads the bookings; then somebody makes one, and it reads them again. */
async function create(given: Case): Promise<Outcome[]> {
	const service = serviceOf(given);
	const client = clientOf(service, new Account());
	const index = bookingIndexOf(client);
	const outcomes: Outcome[] = [];
	const lasting = service.lasting;
	for (let times = 0; times < 2; times++) {
		const failure = await settle(readNew(client, index, ++index.runs));
		const stillThere = new Set(service.lasting);
		const expected =
			times === 0 ? service.lasting : lasting.filter((id) => id > 2_000 || stillThere.has(id));
		const isWhole = expected.every((id) => index.has(id));
		const { countExcess = 0 } = index.whole ?? {};
		outcomes.push(failure ? 'error' : outcomeOf(isWhole, countExcess > 0));
		service.beginAgain();
		lasting.push(service.add());
	}
	return outcomes;
}

export const READERS: Readonly<Record<string, (given: Case) => Promise<Outcome[]>>> = {
	'Return All': returnAll,
	Create: create,
};
