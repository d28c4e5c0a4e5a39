import type { IDataObject } from 'n8n-workflow';
import { dateStyles, serialOf } from './dateStyles.cts';
import { dayOf, farmerRequests, type Cell, type FarmerRequest } from './farmerRequests.cts';

/** The media type of what {@link makeSpreadsheet} makes. */
export const spreadsheetType = 'application/vnd.openxmlformats-officedocument.spreadsheetml.sheet';

interface Column {
	header: string;
	width: number;
	/** What was typed; the plain value where nothing else was. */
	cell: (row: FarmerRequest, now: Date) => Cell | undefined;
}

/** A cell of a request that may have been typed in another way than plainly. */
function typed(
	field: keyof NonNullable<FarmerRequest['typed']>,
	plain: (row: FarmerRequest) => Cell | undefined,
) {
	return (row: FarmerRequest) => (row.typed && field in row.typed ? row.typed[field] : plain(row));
}

const columns: Column[] = [
	{ header: 'Farmer name', width: 22, cell: typed('farmer', ({ farmer }) => farmer) },
	{ header: 'Phone number', width: 22, cell: typed('phone', ({ phone }) => phone) },
	{ header: 'Gender', width: 8, cell: ({ gender }) => gender },
	{ header: 'Tractor', width: 9, cell: typed('tractor', ({ tractor }) => tractor) },
	{ header: 'Type of service', width: 15, cell: typed('service', ({ service }) => service) },
	{
		header: 'Service Date',
		width: 28,
		cell: (row, now) => (row.date ?? dateStyles.excel).write(dayOf(row, now)),
	},
	{ header: 'Land area', width: 11, cell: typed('area', ({ area }) => area) },
	{ header: 'Unit', width: 9, cell: typed('unit', ({ unit }) => unit) },
	{ header: 'Crops', width: 20, cell: typed('crops', ({ crops }) => crops.join(', ')) },
	{ header: 'Lat', width: 12, cell: typed('latitude', ({ latitude }) => latitude) },
	{ header: 'Long', width: 12, cell: typed('longitude', ({ longitude }) => longitude) },
	{ header: 'Village', width: 22, cell: typed('location', ({ location }) => location) },
	{ header: 'Farm note', width: 40, cell: typed('note', ({ note }) => note) },
	// No field of a booking: a page asks whether it says which rows to book.
	{ header: 'Status', width: 12, cell: () => 'Approved' },
];

/** The row of a request as n8n reads it from the file: empty cells are left out, a date is its number in Excel. */
export function rowOf(request: FarmerRequest, now: Date): IDataObject {
	const row: IDataObject = {};
	for (const { header, cell } of columns) {
		const value = cell(request, now) ?? undefined;
		if (value !== undefined) row[header] = value instanceof Date ? serialOf(value) : value;
	}
	return row;
}

/**
 * Makes a spreadsheet of the demo's requests, an Excel workbook with one sheet. It is made again each time, since a
 * booking's date must not be in the past.
 * @param now the dates in the sheet are counted from this day, in this machine's timezone
 */
export async function makeSpreadsheet(
	now = new Date(),
	requests: readonly FarmerRequest[] = farmerRequests,
): Promise<Buffer> {
	// It takes long to load, and few who start a sandbox need it.
	const { default: writeXlsxFile } = await import('write-excel-file/node');
	const headings = columns.map(({ header }) => ({ value: header, fontWeight: 'bold' as const }));
	const lines = requests.map((request) => columns.map(({ cell }) => cell(request, now)));
	const options = { sheet: 'Requests', columns, stickyRowsCount: 1, dateFormat: 'yyyy-mm-dd' };
	return await writeXlsxFile([headings, ...lines], options).toBuffer();
}
