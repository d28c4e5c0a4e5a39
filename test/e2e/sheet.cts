import writeXlsxFile from 'write-excel-file/node';

import type { Booking, Sandbox } from '../../sandbox/index.cts';
import { formPath } from '../../tools/examples.cts';
import type { N8nClient } from '../../tools/n8nClient.cts';
import { countBy } from '../../tools/tally.cts';
import { listed, mustBe } from './report.cts';

export const dayAhead = (days: number) =>
	new Date(Date.now() + days * 86_400_000).toISOString().slice(0, 10);

export type SheetRow = ReturnType<typeof rowsOfSheet>[number];

/** Rows of farmers with two days each; so many share a day. @param first index of the first: others are other requests */
export function rowsOfSheet(count: number, first = 0) {
	return Array.from({ length: count }, (_, offset) => {
		const index = first + offset;
		return {
			'Farmer name': `Farmer ${index}`,
			Phone: `+234709${String(7_000_001 + Math.floor(index / 2)).padStart(7, '0')}`,
			Tractor: 201 + (index % 40),
			'Service type': 3,
			'Service date': dayAhead(2 + (index % 2) + 2 * (index % 5)),
			'Land area': 1 + (index % 9) / 2,
			Unit: 'ha',
		};
	});
}

async function workbookOf(rows: readonly SheetRow[]): Promise<Buffer> {
	const headings = Object.keys(rows[0] ?? {});
	const lines = rows.map((row) =>
		Object.values({ ...row, 'Service date': new Date(row['Service date']) }),
	);
	const options = { sheet: 'Requests', dateFormat: 'yyyy-mm-dd' };
	return await writeXlsxFile([headings, ...lines], options).toBuffer();
}

export const fieldsOf = (row: SheetRow) => ({
	farmerName: row['Farmer name'],
	farmerPhone: row.Phone,
	tractorId: String(row.Tractor),
	serviceType: String(row['Service type']),
	serviceDate: row['Service date'],
	landArea: String(row['Land area']),
	areaType: row.Unit,
});

export const keyOfRow = (row: SheetRow) => `${row.Phone} ${row['Service date']}`;

export const keyOfBooking = ({ farmerPhone, serviceDate }: Booking) =>
	`${farmerPhone} ${serviceDate}`;

export function newBookings({ store: { bookings } }: Sandbox): () => Booking[] {
	const first = bookings.nextID;
	const ids = () => bookings.ids('A').filter((id) => id >= first);
	return () => ids().flatMap((id) => bookings.get(id) ?? []);
}

/** @throws Error unless this is one booking with these values @returns it */
export function mustBeOne(what: string, made: Booking[], wanted: Partial<Booking>): Booking {
	const [booking, ...others] = made;
	const seen = Object.keys(wanted).map((name) => booking?.[name as keyof Booking]);
	mustBe(what, [...seen, others.length], [...Object.values(wanted), 0]);
	if (!booking) throw new Error(`${what}: none`);
	return booking;
}

/** Uploads rows to the form of the example, and goes on to its last page. @returns the pages after the upload */
export async function uploadSheet(client: N8nClient, rows: readonly SheetRow[]): Promise<string[]> {
	const file = { name: 'requests.xlsx', content: await workbookOf(rows) };
	return await client.submitForm(formPath, [file]);
}

/** Rows that a run has claimed and not sent, at most: if it is killed, none is sent until the claims end. */
export const BURST = 27;

/** Where rows and bookings do not match one to one. @param mayWait so many rows may wait for the end of a claim */
export function mismatches(
	rows: readonly SheetRow[],
	made: readonly Booking[],
	mayWait = 0,
): string[] {
	const times = countBy(made, keyOfBooking);
	const wanted = new Set(rows.map(keyOfRow));
	const lost = [...wanted].filter((key) => !times.has(key));
	const repeated = [...times].filter(([, count]) => count > 1).map(([key]) => key);
	const strange = [...times.keys()].filter((key) => !wanted.has(key));
	return [
		...(wanted.size === rows.length ? [] : [`${rows.length - wanted.size} rows are equal.`]),
		...(lost.length > mayWait ? listed(lost, 'rows are not booked') : []),
		...listed(repeated, 'rows are booked twice'),
		...listed(strange, 'bookings belong to no row'),
	];
}
