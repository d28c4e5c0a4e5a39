import '../support/shortPauses.cts';
import { identifierOf, toId } from '../../nodes/TractorBooking/api/records';
import { statusLabel } from '../../nodes/TractorBooking/api/status';
import { asText } from '../../nodes/TractorBooking/utils/text';
import { byId, credentialsOf, fieldOf, perform, recordsOf, stopOf } from '../support/action.cts';
import { answer, book, eachWithSandbox, farmers, sentTo } from '../support/bookings.cts';
import { searchList } from '../support/editor.cts';
import { trigger } from '../support/engine.cts';

const sandbox = eachWithSandbox();

const booking = { bookingID: 7, bookingStatus: 3 };
const tractor = { tractor_id: '5', tractor_name: 'Ox' };

const wraps = [(record: object) => record, (record: object) => ({ success: true, data: record })];

it.each(wraps.map((wrap) => [JSON.stringify(wrap({})), wrap] as const))(
	'one record is read from %s',
	async (_shape, wrap) => {
		answer(sandbox, {}, 200, wrap(booking));
		const { items } = await perform(sandbox, 'booking:get', { bookingId: byId('7') });
		expect(recordsOf(items)).toEqual([{ ...booking, bookingStatusLabel: statusLabel(3) }]);
		sandbox.faults.clear();
		answer(sandbox, {}, 200, wrap(tractor));
		const read = await perform(sandbox, 'catalogue:get', { tractorId: byId('5') });
		expect(recordsOf(read.items)).toEqual([tractor]);
	},
);

it.each([
	{ error: 'no such thing' },
	{ data: null },
	{ unknown: booking },
	{ bookingStatus: 3 },
	null,
	[booking],
])('%j is no record, whatever its status', async (body) => {
	answer(sandbox, {}, 200, body);
	for (const result of [
		await perform(sandbox, 'booking:get', { bookingId: byId('7') }),
		await perform(sandbox, 'catalogue:get', { tractorId: byId('5') }),
	]) {
		expect(stopOf(result).message).toMatch(
			/^The service answered with something that is not a (booking|tractor)$/,
		);
	}
});

it.each([
	[{ status: 'failed', message: 'holiday' }, 'unknown', 'The service says: holiday. If that says'],
	[{ error: 'holiday' }, 'unknown', 'The service says: holiday. If that says'],
	[{ clusterID: 1 }, 'unknown', 'The service says: {"clusterID":1}. If that says'],
	[{ error: [], data: { bookingID: 5 } }, 'created', ''],
])(
	'a booking that is answered with %j is %s, and is not sent again',
	async (body, result, said) => {
		answer(sandbox, { endpoint: 'create' }, 200, body);
		const settings = { onError: 'continueRegularOutput' } as const;
		const { items, error } = await book(sandbox, farmers(1), {}, settings);
		expect(error).toBeUndefined();
		expect(fieldOf(items, 'result')).toEqual([result]);
		expect(asText(fieldOf(items, 'toDo')[0])).toContain(said);
		expect(sentTo(sandbox)).toHaveLength(1);
	},
);

it.each([
	['booking', { relatedBookingID: 1, bookingIDs: 2, booking_id: '7' }, '7'],
	['tractor', { _id: 'a', lastTractorID: 3, TractorIDs: 4, TractorID: 0 }, 0],
	['tractor', { lastTractorID: 3 }, undefined],
	// Further fields are not shown (interface).
	['booking', { booking_id: 77, bookingID: 5001 }, 5001],
	['tractor', { tractor_id: 9, TractorID: 201 }, 201],
	['booking', { bookingID: null, booking_id: 7 }, undefined],
] as const)('the identifier of a %s %j is %p', (kind, record, id) => {
	expect(identifierOf(record, kind)).toBe(id);
});

it.each([
	[7, 7],
	['007', 7],
	[' 7 ', 7],
	[0, 0],
	['9007199254740993', '9007199254740993'],
	['A-7', 'A-7'],
	// Rounded by JSON: it may be another one's.
	[2 ** 53, undefined],
	[' ', undefined],
	[null, undefined],
	[{ id: 7 }, undefined],
])('the identifier %j is compared as %p', (identifier, key) => {
	expect(toId(identifier)).toBe(key);
});

it('bookings that come with another spelling of it are listed, found in the editor, and watched', async () => {
	sandbox.store.bookings.addMany(3, { status: 6 });
	sandbox.hooks.shapeBooking = ({ bookingID, ...booking }) => ({
		booking_id: bookingID,
		...booking,
	});
	const ids = sandbox.store.bookings.ids('A');
	const { items } = await perform(sandbox, 'booking:getAll', { returnAll: true });
	expect(fieldOf(items, 'bookingID')).toEqual([...ids].reverse());
	const credentials = credentialsOf({ baseUrl: sandbox.url });
	const found = await searchList('searchBookings', credentials);
	expect(found.results.map(({ value }) => Number(value))).toEqual([...ids].reverse());
	const node = trigger({ parameters: { events: ['bookingStatusChanged'] }, credentials });
	await node.poll();
	sandbox.store.bookings.advance(ids[1] ?? 0, 42);
	expect(fieldOf((await node.poll()) ?? [], 'bookingID')).toEqual([ids[1]]);
});
