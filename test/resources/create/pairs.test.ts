import fc from 'fast-check';
import type { IDataObject } from 'n8n-workflow';

import { existingBookings } from '../../../nodes/TractorBooking/resources/booking/create/match/existingBookings';
import {
	candidatesFor,
	pairRows,
} from '../../../nodes/TractorBooking/resources/booking/create/match/pairs';
import { RecordFormat } from '../../../nodes/TractorBooking/resources/booking/create/match/recordFormat';
import type { OpenRow } from '../../../nodes/TractorBooking/resources/booking/create/row';

/** Cells and fields that rows and bookings of one match key have; some have them not. */
const job = fc.record({
	farmerName: fc.constantFrom('Amina', 'Bala', undefined),
	serviceType: fc.constantFrom(3, 4, undefined),
	landArea: fc.constantFrom(1, 2, undefined),
});
const jobs = fc.array(job, { minLength: 1, maxLength: 4 });

const SAME = { farmerPhone: '+2348031234567', serviceDate: '2026-12-01' };

function rowOf(request: OpenRow['request'], itemIndex: number): OpenRow {
	return {
		kind: 'ready',
		itemIndex,
		sheetRow: itemIndex + 2,
		// Rows of one sheet differ in something.
		request: { ...request, ...SAME, farmLocation: `Farm ${itemIndex}` },
		settings: {
			tractorSelection: 'id',
			ifAlreadyBooked: 'skip',
			ifPossibleDuplicate: 'review',
			matchFields: ['farmerPhone', 'serviceDate'],
			ignoredStatuses: new Set(),
			distributeRows: false,
			acceptUnknownServices: false,
			columnMapping: new Map(),
			notInSheet: new Set(),
			otherColumns: 'stop',
			dryRun: false,
			rules: { timezone: 'UTC', today: '2026-11-20' },
		},
	};
}

/** The pairs of rows and bookings that have the same phone and day. */
function pairsOf(rows: readonly OpenRow[], bookings: readonly IDataObject[]) {
	const format = new RecordFormat();
	const records = bookings.map((booking) => ({ ...booking, ...SAME }));
	for (const record of records) format.learn(record);
	const existing = existingBookings(records, format.in('UTC'));
	const candidates = rows.flatMap((row) => candidatesFor(row, existing));
	return { candidates, pairs: pairRows(candidates) };
}

/** A sheet with empty cells, some of its rows booked in any order, and the fields that the service returns. */
const rerun = fc
	.record({
		requests: jobs,
		returned: fc.subarray(['farmerName', 'serviceType', 'landArea'] as const),
	})
	.chain(({ requests, returned }) => {
		const recordOf = (request: IDataObject, bookingID: number): IDataObject => ({
			bookingID,
			...Object.fromEntries(returned.map((field) => [field, request[field]])),
		});
		const booked = fc.shuffledSubarray(requests.map(recordOf));
		return fc.record({ requests: fc.constant(requests), bookings: booked });
	});

it('a booked row that differs from no booking of its own is paired without a difference', () => {
	fc.assert(
		fc.property(rerun, ({ requests, bookings }) => {
			const { pairs } = pairsOf(requests.map(rowOf), bookings);
			const owners = [...pairs.values()].filter(({ rivals }) => rivals.length === 0);
			const differing = owners.filter(
				({ alike }) => alike.farmerName === false || alike.serviceType === false,
			);
			expect(differing).toEqual([]);
		}),
		{ numRuns: 3_000 },
	);
});

it('each booking is of one row, and each row without one fits none better than the row that has it', () => {
	fc.assert(
		fc.property(jobs, jobs, (requests, records) => {
			const rows = requests.map(rowOf);
			const bookings = records.map((record, bookingID): IDataObject => ({ bookingID, ...record }));
			const { pairs, candidates } = pairsOf(rows, bookings);
			const owners = [...pairs.values()].filter(({ rivals }) => rivals.length === 0);
			expect(new Set(owners.map(({ booking }) => booking)).size).toBe(owners.length);
			for (const row of rows.filter((candidate) => !pairs.has(candidate))) {
				for (const { row: owner, booking, fit } of owners) {
					expect(owner).not.toBe(row);
					const own = candidates.find((pair) => pair.row === row && pair.booking === booking);
					expect(own?.fit).toBeLessThan(fit);
				}
			}
		}),
	);
});
