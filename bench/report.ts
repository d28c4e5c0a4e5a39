import type { Point } from './growth';
import type { Load } from './loads';
import { PEERS } from './loads';
import type { StartCost } from './start';
import type { Summary } from './statistics';

/** Everything that a run of the bench found out. */
export interface Results {
	n8n: string;
	node: string;
	cores: number;
	loads: Array<{ load: Load; summaries: Summary[] }>;
	start: { ours: StartCost; axios: StartCost };
	growth: Point[];
}

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

function timed({ load, summaries }: Results['loads'][number]): string {
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
function limited({ load, summaries }: Results['loads'][number]): string {
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

function memory({ summaries }: Results['loads'][number]): string {
	return table(
		['', 'items in the output', 'peak MB (whole process)', 'MB before', 'MB held by the result'],
		summaries.map((summary) => [
			PEERS[summary.peer],
			summary.peer === 'httpPagination'
				? `${whole(summary.requests)} pages`
				: whole(summary.records),
			whole(summary.memoryPeak),
			whole(summary.memoryBefore),
			whole(summary.heapHeld),
		]),
	);
}

function starts({ ours, axios }: Results['start']): string {
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

/** The tables, in Markdown. */
export function toMarkdown(results: Results): string {
	const parts = results.loads.map((entry) => {
		const { load } = entry;
		const body =
			load.name === 'memory' ? memory(entry) : load.dictatedSeconds ? limited(entry) : timed(entry);
		const dictated = load.dictatedSeconds ? ` (the limit dictates ${load.dictatedSeconds} s)` : '';
		return `## ${load.title}${dictated}\n\n${body}`;
	});
	return `${[
		'# Results of the bench',
		`n8n ${results.n8n} on Node.js ${results.node}, ${results.cores} cores, the service and n8n on one machine. Medians; each measurement in a process of its own. \`npm run bench\` writes this file.`,
		...parts,
		`## Loading the package\n\n${starts(results.start)}`,
		`## How the cost grows\n\n${growth(results.growth)}`,
	].join('\n\n')}\n`;
}
