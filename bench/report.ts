import type { Point } from './growth';
import { PEERS } from './loads';
import type { Watching } from './polls';
import { WATCHERS } from './polls';
import type { LoadResult, PartName, Parts, Results } from './parts';
import { PARTS } from './parts';

function seconds(value: number): string {
	return value < 10 ? value.toFixed(2) : value.toFixed(1);
}

function times(ratio: number): string {
	return `${ratio.toFixed(ratio < 10 ? 2 : 0)} ×`;
}

function whole(value: number | undefined): string {
	return value === undefined ? '' : String(Math.round(value));
}

function table(head: string[], rows: string[][]): string {
	const line = (cells: string[]) => `| ${cells.join(' | ')} |`;
	return [line(head), line(head.map(() => '---')), ...rows.map(line)].join('\n');
}

function timed({ load, summaries }: LoadResult): string {
	const ours = summaries[0]?.seconds ?? NaN;
	return table(
		['', 'seconds', 'to ours', 'requests', 'most at once', 'records'],
		summaries.map((summary) => [
			PEERS[summary.peer],
			seconds(summary.seconds),
			times(summary.seconds / ours),
			whole(summary.requests),
			whole(summary.peakInFlight),
			`${whole(summary.served)}${load.task.rows ? ` of ${load.task.rows}` : ''}`,
		]),
	);
}

/** A flow that stops gives nothing to the next node: its rows have no result, whatever the service did. */
function limited({ load, summaries }: LoadResult): string {
	const { dictatedSeconds = NaN, task } = load;
	const rows = task.rows ?? 0;
	const creates = load.name === 'create';
	return table(
		[
			'',
			'seconds',
			'to the limit',
			'requests',
			'refused (429)',
			'rows with a result',
			...(creates ? ['rows not booked', 'booked again'] : []),
		],
		summaries.map((summary) => [
			PEERS[summary.peer],
			seconds(summary.seconds),
			summary.served < rows ? 'did not finish' : times(summary.seconds / dictatedSeconds),
			whole(summary.requests),
			whole(summary.refused),
			`${whole(summary.served)} of ${rows}`,
			...(creates ? [whole(rows - (summary.booked ?? 0)), whole(summary.repeated)] : []),
		]),
	);
}

function memory({ summaries }: LoadResult): string {
	return table(
		[
			'',
			'items in the output',
			'peak MB (whole process)',
			'MB before',
			'MB above the start',
			'MB held by the result',
		],
		summaries.map((summary) => [
			PEERS[summary.peer],
			summary.peer === 'httpPagination'
				? `${whole(summary.requests)} pages`
				: whole(summary.records),
			whole(summary.memoryPeak),
			whole(summary.memoryBefore),
			whole(summary.memoryPeak - summary.memoryBefore),
			whole(summary.heapHeld),
		]),
	);
}

function starts({ ours, axios }: Parts['start']): string {
	return table(
		['', 'ms to load', 'kB unpacked'],
		[
			[PEERS.ours, ours.milliseconds.toFixed(1), whole(ours.bytes / 1_000)],
			[PEERS.axiosNode, axios.milliseconds.toFixed(1), whole(axios.bytes / 1_000)],
		],
	);
}

function growth(points: Point[]): string {
	return table(
		['', 'requests', 'refused (429)', 'seconds'],
		points.map(({ what, requests, refused, seconds: value }) => [
			what,
			whole(requests),
			whole(refused),
			seconds(value),
		]),
	);
}

const number = new Intl.NumberFormat('en-GB', { maximumFractionDigits: 0 });

/** A figure of a watcher, marked where it is extrapolated. */
function figure({ isExtrapolated }: Watching, text: string): string {
	return isExtrapolated ? `≈ ${text}` : text;
}

function firstScans(watchings: Watching[]): string {
	return table(
		['bookings', '', 'polls', 'requests', 'seconds', 'CPU seconds', 'old bookings told as new'],
		watchings.map((watching) => {
			const { bookings, peer, first, steady } = watching;
			const own = (text: string) => figure(watching, text);
			return [
				number.format(bookings),
				WATCHERS[peer],
				whole(first.polls),
				own(number.format(first.requests)),
				own(seconds(first.seconds)),
				own(seconds(first.cpuSeconds)),
				steady ? (first.told === 0 ? '0' : own(number.format(first.told))) : 'fails',
			];
		}),
	);
}

function changesTold({ steady, error, isExtrapolated }: Watching): string {
	if (!steady || (isExtrapolated && error !== undefined)) return 'fails';
	if (isExtrapolated) return 'not measured';
	const { told, toldFalsely, changes } = steady;
	const others = toldFalsely > 0 ? ` and ${toldFalsely} others` : '';
	return `${error === undefined ? '' : 'fails: '}${told} of ${changes}${others}`;
}

function polls(watchings: Watching[]): string {
	return table(
		[
			'bookings',
			'',
			'requests',
			'seconds',
			'to ours',
			'CPU ms',
			'to ours',
			'bytes kept',
			'changes told at the next poll',
		],
		watchings.map((watching) => {
			const { bookings, peer, steady, bytesKept } = watching;
			const ours = watchings.find((other) => other.bookings === bookings && other.peer === 'ours');
			const own = (text: string) => figure(watching, text);
			if (!steady) {
				return [
					number.format(bookings),
					WATCHERS[peer],
					'',
					'',
					'',
					'',
					'',
					'',
					changesTold(watching),
				];
			}
			const { requests, seconds: time, cpuSeconds } = steady;
			return [
				number.format(bookings),
				WATCHERS[peer],
				own(number.format(requests)),
				own(seconds(time)),
				own(times(time / (ours?.steady?.seconds ?? NaN))),
				own(number.format(cpuSeconds * 1_000)),
				own(times(cpuSeconds / (ours?.steady?.cpuSeconds ?? NaN))),
				own(number.format(bytesKept)),
				changesTold(watching),
			];
		}),
	);
}

function watched(watchings: Watching[]): string {
	const errors = [...new Set(watchings.flatMap(({ error }) => error ?? []))];
	return [
		'Who watches for completed bookings: first the list as it is, then the changes. The 500 newest bookings are still under way, all others completed or declined; the list is sorted newest first, 100 a page. Before each poll after the first scan, 20 of those under way are completed and 5 bookings made.',
		'### The first scan',
		firstScans(watchings),
		'### A poll after it',
		polls(watchings),
		`CPU is that of the process that polls, with the writing of what is kept as JSON. What is kept is the static data as n8n stores them, and for Remove Duplicates the history in n8n's table \`processed_data\`, by n8n's own helper on SQLite. What n8n stores of each execution comes on top. Figures with ≈ are not measured: ten times those of the list above, since these peers read all pages one after the other. A booking that was settled before and changes again is told by the Tractor Booking Trigger when its rolling sweep comes by, by the others at the next poll.`,
		...errors.map((error) => `Where it says *fails*: “${error}”`),
	].join('\n\n');
}

function loaded(entry: LoadResult): string {
	const { load } = entry;
	const body =
		load.name === 'memory' ? memory(entry) : load.dictatedSeconds ? limited(entry) : timed(entry);
	const dictated = load.dictatedSeconds ? ` (the limit dictates ${load.dictatedSeconds} s)` : '';
	return `## ${load.title}${dictated}\n\n${body}`;
}

function section(part: PartName, parts: Partial<Parts>): string | undefined {
	switch (part) {
		case 'polls':
			return parts.polls && `## A poll\n\n${watched(parts.polls)}`;
		case 'start':
			return parts.start && `## Loading the package\n\n${starts(parts.start)}`;
		case 'growth':
			return parts.growth && `## How the cost grows\n\n${growth(parts.growth)}`;
		default:
			return parts[part] && loaded(parts[part]);
	}
}

/** The tables of the parts that were run, in Markdown. */
export function toMarkdown({ machine, parts }: Results): string {
	return `${[
		'# Results of the bench',
		`n8n ${machine.n8n} on Node.js ${machine.node}, ${machine.cores} cores, the service and n8n on one machine. Medians; each measurement in a process of its own. \`npm run bench\` writes this file.`,
		...PARTS.flatMap((part) => section(part, parts) ?? []),
	].join('\n\n')}\n`;
}
