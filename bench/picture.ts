import { PEERS } from './loads';
import type { Watching } from './polls';
import { WATCHERS } from './polls';
import type { AllResults, LoadResult, Parts } from './parts';

interface Bar {
	name: string;
	value: number;
	label: string;
	/** Whether the work was done and measured. */
	kind: 'done' | 'failed' | 'extrapolated';
}

interface Chart {
	title: string;
	bars: Bar[];
}

const WIDTH = 880;
const NAME_WIDTH = 300;
const BAR_WIDTH = 380;
const ROW = 22;

function seconds(value: number): string {
	return `${value.toFixed(value < 10 ? 2 : 0)} s`;
}

function escaped(text: string): string {
	return text.replace(/&/g, '&amp;').replace(/</g, '&lt;');
}

function loadChart({ load, summaries }: LoadResult): Chart {
	const isMemory = load.name === 'memory';
	const rows = load.task.rows ?? 0;
	const bars = summaries.map((summary): Bar => {
		const failed = summary.served < rows;
		const value = isMemory ? summary.memoryPeak : summary.seconds;
		const note = failed
			? `, ${Math.round(summary.served)} of ${rows} rows`
			: load.name === 'details'
				? `, ${summary.requests} requests`
				: '';
		const label = (isMemory ? `${Math.round(value)} MB` : seconds(value)) + note;
		return { name: PEERS[summary.peer], value, label, kind: failed ? 'failed' : 'done' };
	});
	return { title: load.title + (isMemory ? ', peak memory' : ''), bars };
}

function pollChart(bookings: number, watchings: Watching[]): Chart {
	const bars = watchings.map(({ peer, first, steady, error, isExtrapolated }): Bar => {
		const name = WATCHERS[peer];
		const value = (steady ?? first).seconds;
		if (error !== undefined) return { name, value, label: 'fails', kind: 'failed' };
		const label = `${isExtrapolated ? '≈ ' : ''}${seconds(value)}`;
		return { name, value, label, kind: isExtrapolated ? 'extrapolated' : 'done' };
	});
	return { title: `A poll of ${bookings.toLocaleString('en-GB')} bookings`, bars };
}

function startChart({ ours, axios }: Parts['start']): Chart {
	const bar = (name: string, value: number): Bar => ({
		name,
		value,
		label: `${value.toFixed(1)} ms`,
		kind: 'done',
	});
	const bars = [bar(PEERS.ours, ours.milliseconds), bar(PEERS.axiosNode, axios.milliseconds)];
	return { title: 'Loading the package', bars };
}

/** One chart of each load, one of the polls of each list, and one of the start. */
function chartsOf({ returnAll, details, create, nearby, memory, polls, start }: Parts): Chart[] {
	const lengths = [...new Set(polls.map(({ bookings }) => bookings))];
	return [
		...[returnAll, details, create, nearby, memory].map(loadChart),
		...lengths.map((length) =>
			pollChart(
				length,
				polls.filter(({ bookings }) => bookings === length),
			),
		),
		startChart(start),
	];
}

/** The results as a picture, readable on light and dark pages. */
export function toSvg({ parts }: AllResults): string {
	const lines: string[] = [];
	let y = 8;
	for (const { title, bars } of chartsOf(parts)) {
		y += 26;
		lines.push(`<text class="title" x="0" y="${y}">${escaped(title)}</text>`);
		y += 8;
		const most = Math.max(...bars.map(({ value }) => value));
		for (const [index, { name, value, label, kind }] of bars.entries()) {
			const width = Math.max((value / most) * BAR_WIDTH, 2).toFixed(0);
			const look = kind !== 'done' ? kind : index === 0 ? 'ours' : 'peer';
			lines.push(
				`<text x="0" y="${y + 15}">${escaped(name)}</text>`,
				`<rect class="${look}" x="${NAME_WIDTH}" y="${y + 3}" width="${width}" height="${ROW - 6}" rx="2"/>`,
				`<text x="${NAME_WIDTH + Number(width) + 6}" y="${y + 15}">${escaped(label)}</text>`,
			);
			y += ROW;
		}
	}
	return `<svg xmlns="http://www.w3.org/2000/svg" viewBox="0 0 ${WIDTH} ${y + 10}" font-family="system-ui, sans-serif" font-size="12">
<style>
text { fill: #57606a; } .title { fill: #24292f; font-weight: 600; font-size: 13px; }
.ours { fill: #2da44e; } .peer { fill: #8c959f; } .failed { fill: #cf222e; }
.extrapolated { fill: none; stroke: #8c959f; stroke-dasharray: 4 3; }
@media (prefers-color-scheme: dark) { text { fill: #9198a1; } .title { fill: #f0f6fc; } }
</style>
${lines.join('\n')}
</svg>
`;
}
