/** Services that deviate from the documented one in up to two ways. */

export interface Style {
	base: 0 | 1;
	order: 'newest' | 'oldest' | 'random';
	/** Largest page, and what it does with a larger one. */
	cap?: { at: 10 | 25; how: 'cuts' | 'cutsAndSkips' | 'refuses' };
	envelope: 'results' | 'array' | 'data' | 'unknownName' | 'meta';
	count: 'right' | 'none' | 'lower' | 'higher' | 'aPageHigher' | 'ofPage' | 'capped';
	next: 'right' | 'none' | 'null' | 'always';
	/** The response to a page beyond the last one. */
	end: 'empty' | 'unknown' | 'refused' | 'crashes' | 'repeats' | 'null';
	/** The response to page 0, if pages count from 1. */
	zero: 'unknown' | 'crashes' | 'first' | 'last' | 'empty';
	/** What happens to the list between two requests. */
	changes?: 'added' | 'addedAtEnd' | 'deleted' | 'movedToFront' | 'movedToEnd';
	/** A wrong response that comes once, and to which page: `again` is the page before it. */
	glitch?: {
		is: 'empty' | 404 | 500 | 503 | 'null' | 'half' | 'again';
		page: 'first' | 'second' | 'last';
	};
}

const DOCUMENTED: Style = {
	base: 1,
	order: 'newest',
	envelope: 'results',
	count: 'right',
	next: 'right',
	end: 'empty',
	zero: 'unknown',
};

/** One way in which a service deviates from the documented one (interface, "Pagination of list endpoints"). */
interface Deviation {
	subject: string;
	name: string;
	set: Partial<Style>;
}

function deviations<K extends keyof Style>(subject: K, ...values: Array<Style[K]>): Deviation[] {
	return values.map((value) => ({
		subject,
		name: `${subject} ${typeof value === 'object' ? Object.values(value).join(' ') : String(value)}`,
		set: { [subject]: value },
	}));
}

const caps = ([10, 25] as const).flatMap((at) =>
	(['cuts', 'cutsAndSkips', 'refuses'] as const).map((how) => ({ at, how })),
);

const glitches = (['empty', 404, 500, 503, 'null', 'half', 'again'] as const).flatMap((is) =>
	(['first', 'second', 'last'] as const).map((page) => ({ is, page })),
);

const DEVIATIONS: Deviation[] = [
	...deviations('base', 0),
	...deviations('order', 'oldest', 'random'),
	...deviations('cap', ...caps),
	...deviations('envelope', 'array', 'data', 'unknownName', 'meta'),
	...deviations('count', 'none', 'lower', 'higher', 'aPageHigher', 'ofPage', 'capped'),
	...deviations('next', 'none', 'null', 'always'),
	...deviations('end', 'unknown', 'refused', 'crashes', 'repeats', 'null'),
	...deviations('zero', 'crashes', 'first', 'last', 'empty'),
	...deviations('changes', 'added', 'addedAtEnd', 'deleted', 'movedToFront', 'movedToEnd'),
	...deviations('glitch', ...glitches),
];

const SILENT = { next: 'none' } as const;

/** What usual frameworks make of a list. */
const FRAMEWORKS: Record<string, Partial<Style>> = {
	'Django REST framework': { end: 'unknown', cap: { at: 25, how: 'cuts' } },
	'Django, pages without exceptions': { end: 'repeats', zero: 'last', ...SILENT },
	Laravel: { envelope: 'meta', zero: 'first', ...SILENT },
	FastAPI: { envelope: 'unknownName', end: 'unknown', ...SILENT },
	Spring: { base: 0, envelope: 'unknownName', count: 'none', ...SILENT },
	'Spring with a total': { base: 0, envelope: 'data', ...SILENT },
	'arrays from 1': { envelope: 'array', cap: { at: 25, how: 'cuts' }, zero: 'first' },
	'arrays from 0': { envelope: 'array', base: 0 },
};

const LENGTHS = [0, 1, 24, 25, 60, 99, 100, 101, 200, 237, 300, 450];

export type Answer = { status: number } | { body: unknown };

const STATUSES: Partial<Record<string, number>> = { unknown: 404, refused: 400, crashes: 500 };

export class Service {
	private ids: number[];
	private readonly before: ReadonlySet<number>;
	private nextId: number;

	/** How often the wrong response has still to come: a 500 comes to all attempts of a client. */
	private glitches = 0;

	/** Requests since the list began to change. */
	private changes = 0;

	constructor(
		readonly style: Style,
		length: number,
		private readonly attempts: number,
	) {
		this.ids = Array.from({ length }, (_, at) => 1001 + at);
		if (style.order === 'newest') this.ids.reverse();
		if (style.order === 'random') this.ids.sort((a, b) => ((a * 619) % 991) - ((b * 619) % 991));
		this.before = new Set(this.ids);
		this.nextId = 1001 + length;
		this.beginAgain();
	}

	/** The records that were there all the time: whoever reads the list must get them. */
	get lasting(): number[] {
		return this.ids.filter((id) => this.before.has(id));
	}

	/** The list changes once more, and the wrong response comes once more. */
	beginAgain(): void {
		const { is } = this.style.glitch ?? {};
		this.glitches = is === 500 ? this.attempts : 1;
		this.changes = 0;
	}

	add(): number {
		const { order } = this.style;
		const middle = Math.floor(this.ids.length / 2);
		const place = { newest: 0, oldest: this.ids.length, random: middle }[order];
		this.ids.splice(place, 0, this.nextId);
		return this.nextId++;
	}

	answer(page: number, asked: number): Answer {
		this.changes += 1;
		if (this.changes > 1) this.change();
		const { base, cap, zero, end } = this.style;
		if (cap?.how === 'refuses' && asked > cap.at) return { status: 400 };
		const size = Math.min(asked, cap?.at ?? asked);
		const step = cap?.how === 'cutsAndSkips' ? asked : size;
		const last = Math.max(Math.ceil(this.ids.length / step) - 1, 0) + base;
		const glitch = this.glitchOn(page, last);
		const instead = page < base ? zero : page > last ? end : undefined;
		const said = (glitch === 'half' ? undefined : glitch) ?? instead;
		const status = typeof said === 'number' ? said : STATUSES[said ?? ''];
		if (status !== undefined) return { status };
		if (said === 'empty' || said === 'null')
			return this.wrap(said === 'null' ? null : [], page, last);
		const others: Record<string, number> = {
			first: base,
			again: Math.max(page - 1, base),
			half: page,
		};
		const shown = said === undefined ? page : (others[said] ?? last);
		const ids = this.ids.slice((shown - base) * step, (shown - base) * step + size);
		return this.wrap(glitch === 'half' ? ids.slice(0, ids.length / 2) : ids, shown, last);
	}

	private glitchOn(page: number, last: number) {
		const { glitch, base } = this.style;
		if (!glitch || this.glitches === 0) return undefined;
		const at = { first: base, second: base + 1, last }[glitch.page];
		if (page !== at) return undefined;
		this.glitches -= 1;
		return glitch.is;
	}

	private change(): void {
		const { ids } = this;
		const { changes } = this.style;
		if (this.changes > 12) return;
		if (changes === 'added') ids.unshift(this.nextId++);
		if (changes === 'addedAtEnd') ids.push(this.nextId++);
		if (changes === 'deleted') ids.splice(1, 1);
		if (changes === 'movedToFront') ids.unshift(...ids.splice(Math.floor(ids.length / 2), 1));
		if (changes === 'movedToEnd') ids.push(...ids.splice(1, 1));
	}

	private record(bookingID: number) {
		const day = this.before.has(bookingID) ? '2026-01-15' : '2026-02-02';
		return { bookingID, bookingStatus: 1, createdAt: `${day}T08:00:00Z` };
	}

	private wrap(ids: number[] | null, page: number, last: number): Answer {
		const { envelope, count: counts, next: nexts } = this.style;
		const list = ids && ids.map((id) => this.record(id));
		if (envelope === 'array') return { body: list };
		const { length } = this.ids;
		const count = {
			...{ right: length, none: undefined, lower: Math.max(length - 3, 0), higher: length + 3 },
			...{ aPageHigher: length + 120, ofPage: ids?.length ?? 0, capped: Math.min(length, 100) },
		}[counts];
		const url = (to: number) => `https://x.example/list?page=${to}`;
		const next = {
			right: page < last ? url(page + 1) : null,
			none: undefined,
			null: null,
			always: url(page + 1),
		}[nexts];
		const said = JSON.parse(JSON.stringify({ count, next })) as object;
		const body = {
			results: { ...said, results: list },
			data: { ...said, data: list },
			unknownName: { ...said, journeys: list },
			meta: { data: list, meta: { ...said, current_page: page } },
		}[envelope];
		return { body };
	}
}

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
