import type { BookingRequest } from '../../../../nodes/TractorBooking/resources/booking/create/row/fields';
import type { Result } from '../../../../nodes/TractorBooking/resources/booking/create/row/results';
import type { SheetSummary } from '../../../../nodes/TractorBooking/resources/booking/create/say/report';
import type { Answers, Value } from './answers';
import type { NewCell } from './workbook';

/** A row of the list as it was uploaded. */
export interface Row {
	row_number: number;
	[column: string]: unknown;
}

/** What the reader gives: nothing for an empty tab. */
export interface Line {
	tab?: string;
	row?: Row;
	/** Why the tab cannot be read. */
	error?: string;
}

/** With Dry Run, what the first row says of the whole sheet. */
export type Summary = SheetSummary;

/** A question about a row. */
export type AskedRow = Summary['rowQuestions'][number] & {
	key: `row ${string}`;
	/** The rows that get a plot if the row is another job, by the keys of their answers. */
	plots: Array<{ number: number; key: `plot ${string}` }>;
};

/** The same with the only booking that shows the name, the phone and the day of the row. */
export type LikelyRow = AskedRow & { booking: AskedRow['bookings'][number] };

/** A row as the node gives it back. */
export interface Outcome extends Row {
	result: Result;
	reason: string;
	toDo?: string | null;
	bookingID?: unknown;
	possibleBookingIDs?: unknown;
	bookingStatusLabel?: unknown;
	bookedService?: string | null;
	bookedTractorId?: unknown;
	request?: Partial<BookingRequest> | null;
	summary?: Summary;
}

interface Choice {
	text: string;
	value: Value;
}

/** A question of a page. */
interface AskOf<Key> {
	key: Key;
	label: string;
	options: Choice[];
	/** What is chosen unless there is an answer: in a question about the sheet, what that suggests. */
	preset?: Value;
	/** Whether the list itself says that: then it is asked only if answers are to be changed. */
	isSure?: boolean;
	/** What the list says on it, if not only that. */
	says?: Value[];
	/** What the list says, and the last one did not: therefore it is asked again. */
	news?: string[];
	/** Shown only if this is the answer to another question. */
	of?: { key: 'likely' | 'which' | `row ${string}`; value: Value };
}

export type ChoiceKey = Exclude<
	keyof Answers,
	'said' | `plot ${string}` | `values ${string}` | `seen ${string}`
>;

/** A question about the sheet: one option is chosen, or any number of them is ticked. */
export type SheetAsk =
	| (AskOf<ChoiceKey> & { many?: false; typed?: false })
	| (AskOf<`values ${string}`> & { many: true; typed?: false });

/** Or what is next, which tab it is, or a text that is typed. */
export type Ask =
	| SheetAsk
	| (AskOf<'choice'> & { many?: false; typed?: false })
	| (AskOf<'tab'> & { many?: false; typed?: false })
	| (AskOf<`plot ${string}`> & { many?: false; typed: true });

/** The answer to a question about all at once, by which each is asked about. */
export const EACH = 'each';

interface TabChoice {
	tab: string;
	/** None if it cannot be read. */
	rows: number;
	headings: string[];
	isList: boolean;
	/** Under what the answers to its list are kept. */
	key: string;
}

/** What is known so far. */
export interface State {
	/** Those in force. */
	answers: Answers;
	/** The answers to the last list, or those to be changed. */
	before: Answers;
	/** Whether these are only marked. Else they hold as long as the list says nothing else than when they were given. */
	areMarks: boolean;
	/** Columns that no field is read from, unless an answer says so. */
	ignored: string[];
	/** What the next page says first. */
	note: string;
	/** Whether a page of this upload was answered. */
	isAnswered: boolean;
	tab?: string;
	/** All tabs of the file that are not empty. */
	tabs: TabChoice[];
	/** The answers about rows that are in force, by their keys, and those among them that this upload has asked for. */
	asked: Array<`row ${string}`>;
	askedNow: Array<`row ${string}`>;
	/** How often the node has run, or will have. */
	checks: number;
}

/** To `learn` what the sheet leaves open, to `look` at the rows with the answers, once more when it is `over`, or to book them. */
export type Mode = 'book' | 'learn' | 'look' | 'over' | 'stop' | 'tab';

/** The settings of the node. A column is '' if the answer says that no column holds it. */
export interface Settings {
	columns?: Record<string, string>;
	notInSheet?: string[];
	ignored?: string;
	serviceNames?: string;
	dateOrder?: string;
	areaUnit?: string;
	phoneCountry?: string;
}

/** What *Take the answers* gives. */
export interface Step extends State {
	/** Under what the answers are kept. */
	key: string;
	mode: Mode;
	set: Settings;
	rows: Row[];
	toCheck: boolean;
	title?: string;
	stopped?: string;
}

interface Route {
	mode: Mode | 'preview' | 'rows';
	number: number;
	state: State;
}

/** On to another step, without a page. */
interface Again extends Route {
	route: 'again';
	next: Mode;
}

export interface Page extends Route {
	route: 'page';
	page: object;
	asks: Ask[];
	/** The rows that the page asks about, and those that it asks about all at once. */
	questions?: AskedRow[];
	together?: LikelyRow[];
	/** Those for which the page has no room: they stay open. */
	left?: AskedRow[];
}

interface Stop extends Route {
	route: 'stop';
	title: string;
	text?: string;
}

export interface Ending extends Route {
	/** Answers are kept once they led to a booking. */
	route: 'end' | 'keep';
	title: string;
	html: string;
	/** What is written into the list, and the sheet that is given back if that cannot be. */
	cells: NewCell[];
	lines: Array<Record<string, unknown>>;
	/** Beginning of its name. */
	file: string;
	answers: string;
}

/** What *Draw the page* gives. */
export type Drawn = Again | Page | Stop | Ending;

/** The answer to a page: of the number of the page, and of each question by its label. */
export interface Sent {
	page?: unknown;
	submittedAt?: unknown;
	[label: string]: unknown;
}
