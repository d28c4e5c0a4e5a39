import { identifierOf, toKey } from '../../nodes/TractorBooking/api/records';
import { credentialsOf, fieldOf, perform } from '../support/action.cts';
import { eachWithSandbox } from '../support/bookings.cts';
import { searchList } from '../support/editor.cts';
import { trigger } from '../support/engine.cts';

it.each([
	['booking', { id: 1, bookingID: 7 }, 7],
	['booking', { id: 1, booking_id: '7' }, '7'],
	['booking', { id: 1, rebookingid: 7, bookingids: 7 }, undefined],
	['tractor', { _id: 'a', TractorID: 0 }, 0],
	['tractor', { id: 1, tractor_id: '5' }, '5'],
] as const)('the identifier of a %s %j is %p', (kind, record, id) => {
	expect(identifierOf(record, kind)).toBe(id);
});

it.each([
	[7, 7],
	['007', 7],
	[' 7 ', 7],
	[0, 0],
	[-1, '-1'],
	[1.5, '1.5'],
	['1.5', '1.5'],
	['9007199254740993', '9007199254740993'],
	[2 ** 53, '9007199254740992'],
	['A-7', 'A-7'],
	[' ', undefined],
	[null, undefined],
	[{ id: 7 }, undefined],
	[true, undefined],
])('the identifier %j is compared as %p', (identifier, key) => {
	expect(toKey(identifier)).toBe(key);
});

const sandbox = eachWithSandbox({ bookings: 3 });

it('bookings that come with another spelling of it are listed, found in the editor, and watched', async () => {
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
