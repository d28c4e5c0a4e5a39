import type { IDataObject, INode, INodeParameters } from 'n8n-workflow';

import { asText } from '../../../nodes/TractorBooking/utils/text';
import {
	KEYS,
	startSandbox,
	type Fault,
	type FaultRule,
	type Sandbox,
} from '../../../sandbox/index.cts';
import {
	book,
	bookingsByPhone,
	farmers,
	outcomeOf,
	type Outcome,
} from '../../support/bookings.cts';

jest.mock('../../../nodes/TractorBooking/api/waits', () =>
	jest.requireActual<object>('../../support/shortPauses.cts'),
);

/** Three rows are sent, and something happens to the request of the middle one. */
const rows = farmers(3);

type Strike = Omit<FaultRule, 'match'>;

interface Case {
	strikes: Strike[];
	options?: INodeParameters;
	apiKey?: string;
	node?: Partial<INode>;
	onError?: INode['onError'];
	prepare?: (sandbox: Sandbox) => void;
	/** The table of results. */
	table: unknown[];
	/** How often each row is booked in the end; once by default. */
	booked?: number[];
}

const middle = { skip: 1, times: 1 };
const lost: Strike = { ...middle, fault: { kind: 'lostAnswer' } };
const FOUND = 'created (the response was lost; found among the bookings)';
const around = (result: unknown) => ['2: created', result, '4: created'];
const unknown = (why: RegExp) =>
	expect.stringMatching(
		`^3: unknown \\(It is unknown whether this row was booked: ${why.source}`,
	) as unknown;

/** Faults of the middle row of which the same comes. What other faults come to, test/faults/matrix says. */
const casesOf = (faults: Record<string, Fault>, more: Pick<Case, 'table' | 'booked'>) =>
	Object.fromEntries(
		Object.entries(faults).map(([name, fault]) => [
			name,
			{ strikes: [{ ...middle, fault }], ...more },
		]),
	);

const NOT_SHOWN = /.* Wait until \d\d:\d\d, then run the same rows again, unchanged\./;

/** Each of the two readings of an empty list asks for page 1 and for a page 0. */
const unreadableList: Strike = { skip: 4, fault: { kind: 'status', status: 403 } };

const cases: Record<string, Case> = {
	...casesOf(
		{
			'a connection that closed after the booking was made': { kind: 'lostAnswer' },
			'a gateway that ran out of time after it was made': { kind: 'lostAnswer', how: 504 },
			'a response that broke off in the middle': { kind: 'truncated' },
		},
		{ table: around(`3: ${FOUND}`) },
	),
	...casesOf(
		{
			'a response without a booking': { kind: 'status', status: 200, body: { ok: true } },
		},
		{ table: around(unknown(NOT_SHOWN)), booked: [1, 0, 1] },
	),
	'every response lost': {
		strikes: [{ fault: { kind: 'lostAnswer' } }],
		table: [`2: ${FOUND}`, `3: ${FOUND}`, `4: ${FOUND}`],
	},
	'a lost response, and bookings that cannot be read any more': {
		strikes: [lost],
		prepare: ({ faults }) =>
			void faults.add({ match: { endpoint: 'bookings' }, ...unreadableList }),
		table: around(
			unknown(
				/The connection to .* was lost.* The bookings could not be read: The service did not allow this credential to list bookings\. Wait until .*, then run the same rows again, unchanged/,
			),
		),
	},
	'a lost response of a booking whose day and phone cannot be read': {
		strikes: [lost],
		prepare: showSecond({ serviceDate: 'next week 1', farmerPhone: '*******0001' }),
		table: around(`3: ${FOUND}`),
	},
	'a lost response, with a key that may not read bookings': {
		apiKey: KEYS.bookingOnly,
		options: { ifAlreadyBooked: 'create' },
		strikes: [lost],
		table: around(
			unknown(/The connection to .* was lost.* unchanged, with If Already Booked set to Skip\./),
		),
	},
	'a booking that is made long after its response was lost': {
		strikes: [{ ...middle, fault: { kind: 'lostAnswer', how: 504 } }],
		prepare: showLate(3),
		table: around(`3: ${FOUND}`),
	},
	'a lost response that stops the node, which is then tried again': {
		node: { retryOnFail: true, maxTries: 2, waitBetweenTries: 1 },
		onError: 'stopWorkflow',
		strikes: [lost],
		prepare: ({ faults, store: { bookings } }) => {
			const create = bookings.create.bind(bookings);
			// The list cannot be read when the second one is searched for.
			bookings.create = (...booking) => {
				const made = create(...booking);
				const once = { ...unreadableList, skip: 0, times: 1 };
				if (bookings.ids('A').length === 2)
					faults.add({ match: { endpoint: 'bookings' }, ...once });
				return made;
			};
		},
		table: [
			expect.stringContaining('2: already booked ('),
			expect.stringContaining('3: already booked ('),
			'4: created',
		],
	},
};

/** Shows the middle booking with fields in another form. */
function showSecond(fields: IDataObject) {
	return ({ hooks, store }: Sandbox): void => {
		hooks.shapeBooking = (booking) =>
			booking.bookingID === store.bookings.ids('A')[1] ? { ...booking, ...fields } : booking;
	};
}

/** Hides the middle booking from the first reads of the list, as a service does that is still working on it. */
function showLate(hiddenFrom: number) {
	return ({ hooks, store }: Sandbox): void => {
		let reads = -1;
		let hidden: ReturnType<typeof store.bookings.get>;
		hooks.beforeListPage = () => {
			reads += 1;
			if (reads === 1) {
				const id = store.bookings.ids('A')[1] ?? 0;
				hidden = store.bookings.get(id);
				store.bookings.delete(id);
			}
			if (reads === hiddenFrom + 1 && hidden) store.bookings.create('A', hidden);
		};
	};
}

const results = new Map<string, Outcome & { counts: Record<string, number>; sent: number }>();

/** With a sandbox of its own, since all run at the same time: the node waits before it searches for a booking. */
async function runCase(name: string, given: Case): Promise<void> {
	const sandbox = await startSandbox({ bookings: 0, otherBookings: 0 });
	for (const strike of given.strikes)
		sandbox.faults.add({ match: { endpoint: 'create' }, ...strike });
	given.prepare?.(sandbox);
	const { options = {}, onError = 'continueErrorOutput', node, apiKey } = given;
	const settings = { onError, node, apiKey };
	const result = await outcomeOf(book, sandbox, rows, { options }, settings);
	const counts = bookingsByPhone(sandbox);
	results.set(name, { ...result, counts, sent: sandbox.requests.count('create') });
	await sandbox.close();
}

beforeAll(async () => {
	await Promise.all(Object.entries(cases).map(async ([name, given]) => await runCase(name, given)));
}, 60_000);

describe('every row is booked once, and the table says what is known, with', () => {
	it.each(Object.entries(cases))('%s', (name, given) => {
		const outcome = results.get(name);
		expect(outcome?.error).toBeUndefined();
		expect(outcome?.table).toEqual(given.table);
		const { booked = [1, 1, 1] } = given;
		expect(rows.map(({ phone }) => outcome?.counts[asText(phone)] ?? 0)).toEqual(booked);
		expect(outcome?.sent).toBe(3);
	});
});
