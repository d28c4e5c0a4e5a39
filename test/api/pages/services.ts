/** Services that deviate from the documented one in up to two ways. */

/** How a service lists its records. */
export interface Style {
	/** Number of the first page. */
	base: 0 | 1;
	/** Largest page; what it does with a larger one. */
	cap?: 'cuts' | 'cutsAndSkips' | 'refuses';
	envelope: 'results' | 'array' | 'data' | 'nested' | 'unknownName' | 'meta';
	count: 'right' | 'none' | 'higher' | 'aPageHigher' | 'ofPage' | 'capped';
	next: 'right' | 'none' | 'null' | 'always';
	previous: 'right' | 'none' | 'null';
	/** The response to a page beyond the last one. */
	end: 'empty' | 'unknown' | 'refused' | 'crashes' | 'repeats' | 'null';
	/** The response to page 0, if pages count from 1. */
	zero: 'unknown' | 'crashes' | 'first' | 'last' | 'empty';
	/** What happens to the list between two requests. */
	changes?: 'added' | 'addedAtEnd' | 'deleted' | 'movedToFront' | 'movedToEnd';
	/** A wrong response that comes once, and to which page. */
	glitch?: { is: 'empty' | 404 | 500 | 503 | 'null' | 'half'; page: 'first' | 'second' | 'last' };
}

const DOCUMENTED: Style = {
	base: 1,
	envelope: 'results',
	count: 'right',
	next: 'right',
	previous: 'right',
	end: 'empty',
	zero: 'unknown',
};

const CAP = 25;

/** One way in which a service deviates from the documented one (interface, "Pagination of list endpoints"). */
interface Deviation {
	/** Two deviations of one subject exclude each other. */
	subject: string;
	name: string;
	/** How the service is made so. */
	set: Partial<Style>;
}

function deviations<K extends keyof Style>(subject: K, ...values: Array<Style[K]>): Deviation[] {
	return values.map((value) => ({
		subject,
		name: `${subject} ${typeof value === 'object' ? Object.values(value).join(' ') : String(value)}`,
		set: { [subject]: value },
	}));
}

const glitches = (['empty', 404, 500, 503, 'null', 'half'] as const).flatMap((is) =>
	(['first', 'second', 'last'] as const).map((page) => ({ is, page })),
);

/** All ways in which a service may deviate. */
const DEVIATIONS: Deviation[] = [
	...deviations('base', 0),
	...deviations('cap', 'cuts', 'cutsAndSkips', 'refuses'),
	...deviations('envelope', 'array', 'data', 'nested', 'unknownName', 'meta'),
	...deviations('count', 'none', 'higher', 'aPageHigher', 'ofPage', 'capped'),
	...deviations('next', 'none', 'null', 'always'),
	...deviations('previous', 'none', 'null'),
	...deviations('end', 'unknown', 'refused', 'crashes', 'repeats', 'null'),
	...deviations('zero', 'crashes', 'first', 'last', 'empty'),
	...deviations('changes', 'added', 'addedAtEnd', 'deleted', 'movedToFront', 'movedToEnd'),
	...deviations('glitch', ...glitches),
];

const SILENT = { next: 'none', previous: 'none' } as const;

/** What usual frameworks make of a list. */
const FRAMEWORKS: Record<string, Partial<Style>> = {
	'Django REST framework': { end: 'unknown', cap: 'cuts' },
	'Django, pages without exceptions': { end: 'repeats', zero: 'last', ...SILENT },
	Laravel: { envelope: 'meta', zero: 'first', ...SILENT },
	FastAPI: { envelope: 'unknownName', end: 'unknown', ...SILENT },
	Spring: { base: 0, envelope: 'unknownName', count: 'none', ...SILENT },
	'Spring with a total': { base: 0, envelope: 'data', ...SILENT },
	'arrays from 1': { envelope: 'array', cap: 'cuts', zero: 'first' },
	'arrays from 0': { envelope: 'array', base: 0 },
};

/** How many records a service has: around the sizes of pages. */
const LENGTHS = [0, 1, 24, 25, 60, 99, 100, 101, 200, 237, 300];

/** A response: a status, or the body of a 200. */
export type Answer = { status: number } | { body: unknown };

/** What stands for a status. */
const STATUSES: Partial<Record<string, number>> = { unknown: 404, refused: 400, crashes: 500 };

/** A list that changes as its style says. */
export class Service {
	requests = 0;

	private ids: number[];

	private readonly before: ReadonlySet<number>;

	private nextId: number;

	private hasGlitched = false;

	constructor(
		readonly style: Style,
		length: number,
	) {
		this.ids = Array.from({ length }, (_, at) => 1000 + length - at);
		this.before = new Set(this.ids);
		this.nextId = 1001 + length;
	}

	/** The records that were there all the time: whoever reads the list must get them. */
	get lasting(): number[] {
		return this.ids.filter((id) => this.before.has(id));
	}

	answer(page: number, asked: number): Answer {
		this.requests += 1;
		if (this.requests > 1) this.change();
		const { base, cap, zero, end } = this.style;
		if (cap === 'refuses' && asked > CAP) return { status: 400 };
		const size = cap ? Math.min(asked, CAP) : asked;
		const step = cap === 'cutsAndSkips' ? asked : size;
		const last = Math.max(Math.ceil(this.ids.length / step) - 1, 0) + base;
		const glitch = this.glitchOn(page, last);
		const instead = page < base ? zero : page > last ? end : undefined;
		const said = (glitch === 'half' ? undefined : glitch) ?? instead;
		const status = typeof said === 'number' ? said : STATUSES[said ?? ''];
		if (status !== undefined) return { status };
		if (said === 'empty' || said === 'null')
			return this.wrap(said === 'null' ? null : [], page, last);
		const shown = said === undefined ? page : said === 'first' ? base : last;
		const ids = this.ids.slice((shown - base) * step, (shown - base) * step + size);
		return this.wrap(glitch === 'half' ? ids.slice(0, ids.length / 2) : ids, shown, last);
	}

	private glitchOn(page: number, last: number) {
		const { glitch, base } = this.style;
		if (!glitch || this.hasGlitched) return undefined;
		const at = { first: base, second: base + 1, last }[glitch.page];
		if (page !== at) return undefined;
		this.hasGlitched = true;
		return glitch.is;
	}

	private change(): void {
		const { ids } = this;
		if (this.requests > 12) return;
		switch (this.style.changes) {
			case 'added':
				return void ids.unshift(this.nextId++);
			case 'addedAtEnd':
				return void ids.push(this.nextId++);
			case 'deleted':
				return void ids.splice(1, 1);
			case 'movedToFront':
				return void ids.unshift(...ids.splice(Math.floor(ids.length / 2), 1));
			case 'movedToEnd':
				return void ids.push(...ids.splice(1, 1));
		}
	}

	private wrap(ids: number[] | null, page: number, last: number): Answer {
		const { envelope, count: counts, next: nexts, previous: previouses, base } = this.style;
		const list = ids && ids.map((bookingID) => ({ bookingID, bookingStatus: 1 }));
		if (envelope === 'array') return { body: list };
		const { length } = this.ids;
		const count = {
			...{ right: length, none: undefined, higher: length + 3, aPageHigher: length + 120 },
			...{ ofPage: ids?.length ?? 0, capped: Math.min(length, 100) },
		}[counts];
		const url = (to: number) => `https://x.example/list?page=${to}`;
		const next = {
			right: page < last ? url(page + 1) : null,
			none: undefined,
			null: null,
			always: url(page + 1),
		}[nexts];
		const previous = { right: page > base ? url(page - 1) : null, none: undefined, null: null }[
			previouses
		];
		const said = JSON.parse(JSON.stringify({ count, next, previous })) as object;
		const body = {
			results: { ...said, results: list },
			data: { ...said, data: list },
			nested: { success: true, data: { ...said, results: list } },
			unknownName: { ...said, journeys: list },
			meta: { data: list, meta: { ...said, current_page: page } },
		}[envelope];
		return { body };
	}
}

/** A service and what it is called. */
export interface Case {
	name: string;
	style: Style;
	length: number;
}

/** Every service that deviates in up to two ways, or from a framework in one, with every length. */
export function allCases(): Case[] {
	const pairs = DEVIATIONS.flatMap((a, at) =>
		DEVIATIONS.slice(at + 1)
			.filter((b) => b.subject !== a.subject)
			.map((b) => [a, b]),
	);
	const ones = DEVIATIONS.map((one) => [one]);
	const frameworks = Object.entries(FRAMEWORKS).flatMap(([name, set]) =>
		[[], ...ones].map((ways) => [{ subject: 'framework', name, set }, ...ways]),
	);
	return [[], ...ones, ...pairs, ...frameworks].flatMap((ways) =>
		LENGTHS.map((length) => ({
			name: `${ways.map(({ name }) => name).join(', ') || 'documented'}; ${length} records`,
			style: Object.assign({}, DOCUMENTED, ...ways.map(({ set }) => set)) as Style,
			length,
		})),
	);
}
