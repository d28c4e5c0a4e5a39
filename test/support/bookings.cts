import type {
	IDataObject,
	INodeExecutionData,
	INodeParameters,
	IPairedItemData,
} from 'n8n-workflow';

import { accounts } from '../../nodes/TractorBooking/api/account';
import { asText } from '../../nodes/TractorBooking/utils/text';
import { distanceKm, startSandbox, type FaultRule, type Sandbox } from '../../sandbox/index.cts';
import { fieldOf, perform, recordsOf, type OperationName, type Settings } from './action.cts';
import { processedData, type ActionResult } from './engine.cts';
import { dayFromNow } from './operations.cts';

export { ASKED, dayFromNow } from './operations.cts';

/** A row for each number, each of another farmer on another day. */
export function farmers(count: number, more: IDataObject = {}): IDataObject[] {
	return Array.from({ length: count }, (_, index) => ({
		tractor: 201 + (index % 50),
		service: 3,
		date: dayFromNow(index % 20),
		phone: `+23480310${String(10_000 + index)}`,
		name: `Farmer ${index + 1}`,
		area: '2 ha',
		...more,
	}));
}

/** A row of a sheet for each of these cells, each of another farmer and right in all else; `undefined` leaves a column out. */
export function sheetOf(...cells: IDataObject[]): IDataObject[] {
	const day = dayFromNow(20);
	const same = { 'Tractor ID': 201, 'Service Type': 3, 'Service Date': day, 'Land Area': '2 ha' };
	return farmers(cells.length).map(({ phone, name }, at) => {
		const row = { 'Farmer Name': name, 'Farmer Phone': phone, ...same, ...cells[at] };
		return Object.fromEntries(Object.entries(row).filter(([, cell]) => cell !== undefined));
	});
}

export const sheetRows = (count: number, cells: IDataObject = {}): IDataObject[] =>
	sheetOf(...Array<IDataObject>(count).fill(cells));

/** The fields of the node for the rows of {@link farmers}. */
export const fromFarmers: INodeParameters = {
	tractorId: '={{ $json.tractor }}',
	serviceType: '={{ $json.service }}',
	serviceDate: '={{ $json.date }}',
	farmerPhone: '={{ $json.phone }}',
	farmerName: '={{ $json.name }}',
	landArea: '={{ $json.area }}',
};

/** Puts the sandbox back to its start, and the node to that of its process: it remembers what it booked. */
export function startAfresh(sandbox: Sandbox): void {
	sandbox.reset();
	processedData.clear();
	accounts.clear();
}

/** A sandbox without rate limits and bookings unless options say otherwise, which each test starts afresh. */
export function eachWithSandbox(options: Parameters<typeof startSandbox>[0] = {}): Sandbox {
	const sandbox = {} as Sandbox;
	beforeAll(async () => {
		const rateLimits = { create: null, nearby: null, details: null, booking: null, bookings: null };
		const all = { bookings: 0, otherBookings: 0, rateLimits, ...options };
		Object.assign(sandbox, await startSandbox(all));
	});
	beforeEach(() => startAfresh(sandbox));
	afterAll(async () => await sandbox.close());
	return sandbox;
}

export function answer(
	sandbox: Sandbox,
	match: FaultRule['match'],
	status: number,
	body?: unknown,
	more: Pick<FaultRule, 'skip'> = {},
): void {
	sandbox.faults.add({ match, fault: { kind: 'status', status, body }, ...more });
}

/** The tractors that a sandbox finds near a place, the nearest first; those that offer a service, if one is given. */
export function tractorsNear(
	{ store, settings }: Sandbox,
	place: Parameters<typeof distanceKm>[0],
	service?: number,
): Array<{ id: number; km: number }> {
	return [...store.tractors.values()]
		.filter(({ services }) => service === undefined || services.some(({ id }) => id === service))
		.map((tractor) => ({ id: tractor.id, km: distanceKm(place, tractor) }))
		.filter(({ km }) => km <= settings.nearbyRadiusKm)
		.sort((a, b) => a.km - b.km);
}

type Run = (
	service: Pick<Sandbox, 'url'>,
	rows: IDataObject[],
	fields?: INodeParameters,
	settings?: Settings,
) => Promise<ActionResult>;

/** Runs an operation over rows. @param fieldsOf what it is asked for, with the fields of a test */
const over =
	(
		name: OperationName,
		fieldsOf: (rows: IDataObject[], fields: INodeParameters) => INodeParameters,
	): Run =>
	async (service, rows, fields = {}, settings = {}) =>
		await perform(service, name, fieldsOf(rows, fields), { rows, ...settings });

export const book = over('booking:create', (_rows, fields) => ({ ...fromFarmers, ...fields }));

export const mapping = (fields: Record<string, string>): INodeParameters => ({
	columnMapping: { columns: Object.entries(fields).map(([column, field]) => ({ column, field })) },
});

/** The column of {@link farmers} whose heading may mean another date than that of the service. */
const mapped = mapping({ date: 'serviceDate' });

/** Runs Booking > Create From Spreadsheet over rows; those of {@link farmers} are mapped. */
export const bookSheet = over('booking:createFromSpreadsheet', (rows, fields) => ({
	...fields,
	options: { ...(rows.some((row) => 'date' in row) ? mapped : {}), ...Object(fields.options) },
}));

/** What the sandbox was sent to be booked, whatever became of it. */
export function sentTo(sandbox: Sandbox): unknown[] {
	return sandbox.requests.find({ endpoint: 'create' }).map(({ body }) => body);
}

/** Number of an item's row in its sheet: its own, else counted with the header as row 1. */
function rowOf({ json, pairedItem }: INodeExecutionData): number {
	const { item } = pairedItem as IPairedItemData;
	return Number(json.row_number ?? item + 2);
}

/** What a person reads of a row: why it has its result, then what to do about it. */
export const saidOf = ({ reason, toDo }: IDataObject): string =>
	[reason, toDo].filter(Boolean).map(asText).join('. ').replace('.. ', '. ');

function lineOf(item: INodeExecutionData): string {
	const said = saidOf(item.json);
	return `${rowOf(item)}: ${asText(item.json.result)}${said ? ` (${said})` : ''}`;
}

/** What comes of the rows of a run, in their order. */
export interface Outcome extends ActionResult {
	records: IDataObject[];
	/** `row: result (reason. What to do)` */
	table: string[];
	results: string[];
	ids: string[];
}

/** Books rows by {@link book} or {@link bookSheet}, and goes on after those that fail. */
export async function outcomeOf(
	run: Run,
	...[service, rows, fields, settings]: Parameters<Run>
): Promise<Outcome> {
	const result = await run(service, rows, fields, { onError: 'continueErrorOutput', ...settings });
	const all = [...result.items, ...result.errors].sort((a, b) => rowOf(a) - rowOf(b));
	return {
		...result,
		records: recordsOf(all),
		table: all.map(lineOf),
		results: fieldOf(all, 'result').map(asText),
		ids: fieldOf(all, 'bookingID').map(asText),
	};
}
