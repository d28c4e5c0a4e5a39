import '../support/shortPauses.cts';
import { readFileSync } from 'node:fs';

import { POLL_POLICY } from '../../nodes/TractorBooking/api/client';
import { mapConcurrent } from '../../nodes/TractorBooking/utils/mapConcurrent';
import { TractorBooking } from '../../nodes/TractorBooking/TractorBooking.node';
import { OPERATIONS } from '../support/action.cts';
import { listen } from '../support/listen.cts';
import { waits, type Waits } from '../support/waits.cts';
import { ADDRESS_FAULTS, FAULTS, type Fault } from './faults.cts';
import { bookedTwice, offencesOfRun, runToEnd } from './judge.cts';
import { PLACEMENTS, SHORT_TIMEOUT, type Outcome, type Placement } from './placements.cts';
import { faultyServiceForTests } from './service.cts';

/** The list of all messages; `…` is any text. */
const ERRORS_PAGE = 'docs/errors.md';

/** Every message that the faults can lead to; the first that fits is meant. */
const MESSAGES: readonly string[] = [
	...readFileSync(ERRORS_PAGE, 'utf8').matchAll(/^- \*\*(.*?)\*\*: /gm),
].map(([, message = '']) => message);

/** The message that a text is, whichever column it names; credential tests append the description to it. */
function knownMessage(said: string): string | undefined {
	const text = said.replace(/^Row \d+: /, '').replace(/^([\w ]+) \(column ".*?"\)/, '$1');
	return MESSAGES.find((message) => {
		const words = message.split('…').map((part) => part.replace(/[()[\]{}.*+?^$|\\]/g, '\\$&'));
		return new RegExp(`^${words.join('.+')}(?:$|[.;: ])`, 's').test(text);
	});
}

/** That of tools leads create/unknown to, and no service. */
const seen = new Set(['There was no time left to send this request']);

const service = faultyServiceForTests(3_000);
const { timeoutMs } = POLL_POLICY;
afterEach(() => (POLL_POLICY.timeoutMs = timeoutMs));

/** Notes the messages of a run; returns those that docs/errors.md does not have. */
function note({ messages }: Outcome): string[] {
	return messages.flatMap(({ message: said }) => {
		const known = knownMessage(said);
		if (known) seen.add(known);
		return known ? [] : [`not in ${ERRORS_PAGE}: ${said}`];
	});
}

const healthyRuns = new Map<Placement, Promise<Outcome>>();

async function healthyRun(placement: Placement): Promise<Outcome> {
	const known = healthyRuns.get(placement) ?? runToEnd(placement, { world: service.open() });
	healthyRuns.set(placement, known);
	return await known;
}

/** What a run shows, as text. Rows that are under way together may get their IDs in any order. */
function comparable(shown: readonly unknown[]): string {
	const rows = shown.map((one) => (Array.isArray(one) ? (one as unknown[]) : [one]));
	return JSON.stringify([rows.map(([what]) => what), rows.map(([, id]) => id).sort()]);
}

async function judge(fault: Fault, placement: Placement): Promise<string[]> {
	const world = service.open();
	world.fault = { strike: fault.strike, strikes: placement.strikes };
	const waited: Waits = { ms: 0 };
	const outcome = await waits.run(
		waited,
		async () => await runToEnd(placement, { world, hangs: fault.hangs }),
	);
	const offences = [...offencesOfRun(world, outcome), ...bookedTwice(world), ...note(outcome)];
	if (world.strikes === 0) offences.push('the fault did not strike');
	const expected =
		typeof fault.expected === 'function' ? fault.expected(placement) : fault.expected;
	if (expected === 'same') {
		const { shown } = await healthyRun(placement);
		if (comparable(shown) !== comparable(outcome.shown))
			offences.push(
				`not as without the fault: ${JSON.stringify(outcome)} instead of ${JSON.stringify(shown)}`,
			);
	}
	if (expected === 'message' && outcome.isOk)
		offences.push(`taken for a result: ${JSON.stringify(outcome.shown)}`);
	if (!fault.isEndless && world.requests.length > placement.requests)
		offences.push(`${world.requests.length} requests`);
	if (waited.ms > 1_000 * placement.pauses * (fault.slows ?? 1))
		offences.push(`paused for ${waited.ms} ms`);
	return offences.filter(Boolean).map((offence) => `${placement.name}: ${offence}`);
}

it('faults are tried at every operation, list search and credential test', () => {
	const { listSearch, credentialTest } = new TractorBooking().methods;
	const methods = [...Object.keys(listSearch), ...Object.keys(credentialTest)];
	const names = new Set(PLACEMENTS.map(({ name }) => name.split(',')[0]));
	const wanted = [...OPERATIONS, ...methods.map((name) => `${name}()`)];
	expect(wanted.filter((name) => !names.has(name))).toEqual([]);
});

it.each(PLACEMENTS)('$name works without a fault', async (placement) => {
	const { isOk, shown } = await healthyRun(placement);
	expect({ isOk, shown }).toEqual({ isOk: true, shown: expect.anything() as unknown });
});

it.each(FAULTS)(
	'$name',
	async (fault) => {
		if (fault.hangs) POLL_POLICY.timeoutMs = SHORT_TIMEOUT * 1_000;
		const placements = PLACEMENTS.filter((placement) => fault.at?.(placement) ?? true);
		const offences = await mapConcurrent(
			placements,
			async (placement) => await judge(fault, placement),
		);
		expect(offences.flat()).toEqual([]);
		expect(service.strayed()).toEqual([]);
	},
	240_000,
);

it.each(ADDRESS_FAULTS)('the address: %s', async (_name, baseUrl, make) => {
	const { port, close } = await listen(make());
	const offences = await mapConcurrent(PLACEMENTS, async (placement) => {
		const world = service.open();
		const outcome = await runToEnd(placement, { world, baseUrl: baseUrl(port) });
		return [...offencesOfRun(world, outcome), ...note(outcome), outcome.isOk ? 'a result' : '']
			.filter(Boolean)
			.map((offence) => `${placement.name}: ${offence}`);
	});
	await close();
	expect(offences.flat()).toEqual([]);
});

it(`${ERRORS_PAGE} has no message that never comes`, () => {
	expect(MESSAGES.filter((message) => !seen.has(message))).toEqual([]);
});
