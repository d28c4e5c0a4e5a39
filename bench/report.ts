import { WATCHERS, type Watching } from './polls';
import type { StartCost } from './start';
import { NODES, type WorkSummary } from './works';

/** What the parts of the bench found that were run. */
export interface Results {
	/** Versions of n8n and of its Node.js, and processor cores. */
	machine: { n8n: string; node: string; cores: number };
	works: WorkSummary[];
	polls?: Watching[];
	start?: StartCost;
}

const numbers = new Intl.NumberFormat('en-GB', { maximumFractionDigits: 0 });
const format = (value: number) => numbers.format(value);
const seconds = (value: number) => value.toFixed(value < 10 ? 2 : 1);
const times = (ratio: number) => `${ratio.toFixed(ratio < 10 ? 2 : 0)} ×`;

function table(head: string[], rows: string[][]): string {
	const line = (cells: string[]) => `| ${cells.join(' | ')} |`;
	return [line(head), line(head.map(() => '---')), ...rows.map(line)].join('\n');
}

function workSection({ work: { title, rows }, medians }: WorkSummary): string[] {
	const head = ['', 'seconds', 'to ours', 'requests', 'refused (429)', 'bookings in the output'];
	const ours = medians[0]?.[1];
	const lines = medians.map(([node, sample]) => {
		// A workflow that stops passes nothing on, although some of its rows are booked.
		const isDone = sample.records === ours?.records;
		return [
			NODES[node],
			seconds(sample.seconds),
			isDone ? times(sample.seconds / ours.seconds) : 'did not finish',
			format(sample.requests),
			format(sample.refused),
			format(sample.records),
			...(rows > 0 ? [format(rows - sample.rowsBooked), format(sample.bookedAgain)] : []),
		];
	});
	const more = rows > 0 ? ['rows not booked', 'booked again'] : [];
	return [`## ${title}`, table([...head, ...more], lines)];
}

function pollSection(watchings: Watching[]): string[] {
	const head = [
		'bookings',
		'',
		'first scan, seconds',
		'old bookings emitted',
		'a poll, seconds',
		'to ours',
		'requests',
		'CPU ms',
		'bytes kept',
		'changes emitted',
	];
	const lines = watchings.map((watching) => {
		const { watcher, bookings, first, later, changes, changesEmitted, othersEmitted } = watching;
		const ours = watchings.find((other) => other.bookings === bookings) ?? watching;
		return [
			format(bookings),
			WATCHERS[watcher],
			seconds(first.seconds),
			format(first.emitted),
			seconds(later.seconds),
			times(later.seconds / ours.later.seconds),
			format(later.requests),
			format(later.cpuMs),
			format(watching.bytesKept),
			`${changesEmitted} of ${changes}${othersEmitted > 0 ? ` and ${othersEmitted} others` : ''}`,
		];
	});
	return [
		'## Polls',
		'The 500 newest bookings are still under way, all others completed or declined; the list is sorted newest first, 100 a page. Before each poll after the first scan, 20 of those under way are completed and 5 bookings made.',
		table(head, lines),
		"CPU is that of the process that polls. Bytes kept are the static data, or for Remove Duplicates the history in n8n's table `processed_data`, with a *History Size* that no list fills; what n8n stores of each execution comes on top.",
	];
}

function startSection({ milliseconds, bytes }: StartCost): string[] {
	const line = [NODES.ours, milliseconds.toFixed(1), format(bytes / 1_000)];
	return ['## Loading the package', table(['', 'ms to load', 'kB unpacked'], [line])];
}

/** The tables of the parts that were run, in Markdown. */
export function toMarkdown({ machine, works, polls, start }: Results): string {
	const paragraphs = [
		'# Results of the bench',
		`n8n ${machine.n8n} on Node.js ${machine.node}, ${machine.cores} cores, the service and n8n on one machine. Medians; each measurement in a process of its own. \`npm run bench\` writes this file.`,
		...works.flatMap(workSection),
		...(polls ? pollSection(polls) : []),
		...(start ? startSection(start) : []),
	];
	return `${paragraphs.join('\n\n')}\n`;
}
