/** Services that deviate from the documented one in up to two ways. */

/** One way in which a service deviates from the documented one (interface, "Pagination of list endpoints"). */
export interface Deviation {
	/** Two deviations of one subject exclude each other. */
	subject: string;
	name: string;
	/** How the service is made so. */
	set: Partial<Style>;
}

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
export const DEVIATIONS: Deviation[] = [
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

/** What usual frameworks make of a list. */
const FRAMEWORKS: Record<string, Partial<Style>> = {
	'Django REST framework': { end: 'unknown', cap: 'cuts' },
	'Django, pages without exceptions': {
		end: 'repeats',
		zero: 'last',
		next: 'none',
		previous: 'none',
	},
	Laravel: { envelope: 'meta', next: 'none', previous: 'none', zero: 'first' },
	FastAPI: { envelope: 'unknownName', next: 'none', previous: 'none', end: 'unknown' },
	Spring: { base: 0, envelope: 'unknownName', count: 'none', next: 'none', previous: 'none' },
	'Spring with a total': { base: 0, envelope: 'data', next: 'none', previous: 'none' },
	'arrays from 1': { envelope: 'array', cap: 'cuts', zero: 'first' },
	'arrays from 0': { envelope: 'array', base: 0 },
};

/** How many records a service has: around the sizes of pages. */
export const LENGTHS = [0, 1, 24, 25, 60, 99, 100, 101, 200, 237, 300];

/** A response: a status, or the body of a 200. */
export type Answer = { status: number } | { body: unknown };

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
		if (glitch !== undefined && glitch !== 'half')
			return typeof glitch === 'number'
				? { status: glitch }
				: this.wrap(glitch === 'null' ? null : [], page, last);
		let shown = page;
		if (page < base) {
			if (zero === 'unknown') return { status: 404 };
			if (zero === 'crashes') return { status: 500 };
			if (zero === 'empty') return this.wrap([], page, last);
			shown = zero === 'first' ? base : last;
		} else if (page > last) {
			if (end === 'unknown') return { status: 404 };
			if (end === 'refused') return { status: 400 };
			if (end === 'crashes') return { status: 500 };
			if (end !== 'repeats') return this.wrap(end === 'null' ? null : [], page, last);
			shown = last;
		}
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
		const { changes } = this.style;
		if (changes === undefined || this.requests > 12) return;
		const middle = Math.floor(this.ids.length / 2);
		if (changes === 'added') this.ids.unshift(this.nextId++);
		if (changes === 'addedAtEnd') this.ids.push(this.nextId++);
		if (changes === 'deleted') this.ids.splice(Math.min(1, this.ids.length), 1);
		const moved = changes.startsWith('moved')
			? this.ids.splice(changes === 'movedToFront' ? middle : 1, 1)
			: [];
		if (changes === 'movedToFront') this.ids.unshift(...moved);
		if (changes === 'movedToEnd') this.ids.push(...moved);
	}

	private wrap(ids: number[] | null, page: number, last: number): Answer {
		const { envelope, count: counts, next: nexts, previous: previouses, base } = this.style;
		const list = ids && ids.map((bookingID) => ({ bookingID, bookingStatus: 1 }));
		if (envelope === 'array') return { body: list };
		const true_ = this.ids.length;
		const count = {
			right: true_,
			none: undefined,
			higher: true_ + 3,
			aPageHigher: true_ + 120,
			ofPage: ids?.length ?? 0,
			capped: Math.min(true_, 100),
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
