import type { ServiceClient, ServiceRequest } from '../../../nodes/TractorBooking/api/client';
import { ServiceError } from '../../../nodes/TractorBooking/api/errors';
import { bookingsList } from '../../../nodes/TractorBooking/api/pages/fetch';
import { collect } from '../../../nodes/TractorBooking/api/pages/iterate';
import type { Case } from './services';
import { allCases, Service } from './services';

// All services with SERVICES=all, which prints what came of them; else one of seven.
const isWhole = process.env.SERVICES === 'all';
const cases = allCases().filter((_, at) => isWhole || at % 7 === 0);

/** How many lose records without a word, or with a warning, or are refused, at most: as many as did when this was written. */
const most = isWhole ? [461, 0, 412] : [67, 1, 60];

/** What came of a Return All. */
type Outcome = 'whole' | 'warned' | 'loss with a warning' | 'silent loss' | 'doubled' | 'error';

/** A client that asks a service, and tries again as the real one does. */
function clientOf(account: object, service: () => Service): ServiceClient {
	return {
		baseUrl: 'https://service.example',
		account,
		runExclusive: async (task) => await task(),
		async send<T>({ path }: ServiceRequest, parse: (body: unknown) => T) {
			const [page = NaN, size = NaN] = path.split('/').slice(-2).map(Number);
			for (let retries = 0; ; retries++) {
				const answer = await Promise.resolve(service().answer(page, size));
				if ('body' in answer) return parse(answer.body);
				const { status } = answer;
				const mayPass = status === 503 || status === 500;
				if (!mayPass || retries === 2) throw new ServiceError('status', `${status}`, { status });
			}
		},
	};
}

async function outcomeOf(client: ServiceClient, service: Service): Promise<Outcome> {
	const warnings: string[] = [];
	const warn = (text: string) => void warnings.push(text);
	const records = await collect(bookingsList(client), { warn }).catch((error: unknown) => {
		if (!(error instanceof ServiceError)) throw error;
	});
	if (!records) return 'error';
	const came = new Set(records.map(({ bookingID }) => bookingID));
	const isLacking = service.lasting.some((id) => !came.has(id));
	if (isLacking) return warnings.length > 0 ? 'loss with a warning' : 'silent loss';
	if (came.size < records.length) return 'doubled';
	return warnings.length > 0 ? 'warned' : 'whole';
}

/** Whether nothing shows that records are missing: the count is wrong, or records are deleted while a page is wrong. */
function isUnknowable({ style }: Case): boolean {
	const { count, envelope, changes, glitch } = style;
	return (
		count !== 'right' || envelope === 'array' || (changes === 'deleted' && glitch !== undefined)
	);
}

it('Return All of services that deviate in up to two ways', async () => {
	const sums: Record<string, number> = {};
	const unexpected: string[] = [];
	for (const given of cases) {
		const account = {};
		// The second reading knows what the first one found out.
		for (const reading of ['first', 'second']) {
			const service = new Service(given.style, given.length);
			const outcome = await outcomeOf(
				clientOf(account, () => service),
				service,
			);
			for (const [what, by] of [
				[outcome, 1],
				['requests', service.requests],
			] as const) {
				const name = `${reading} reading: ${what}`;
				sums[name] = (sums[name] ?? 0) + by;
			}
			const isSilent = outcome === 'silent loss' && !isUnknowable(given);
			if (isSilent || outcome === 'doubled') unexpected.push(`${given.name}: ${outcome}`);
		}
	}
	if (isWhole) process.stdout.write(`${cases.length} services\n${JSON.stringify(sums, null, 1)}\n`);
	expect(unexpected).toEqual([]);
	for (const reading of ['first', 'second']) {
		(['silent loss', 'loss with a warning', 'error'] as const).forEach((outcome, at) => {
			const sum = sums[`${reading} reading: ${outcome}`] ?? 0;
			expect(`${outcome}: ${sum}`).toBe(`${outcome}: ${Math.min(sum, most[at] ?? 0)}`);
		});
	}
});
