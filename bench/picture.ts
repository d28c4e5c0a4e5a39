import { PEERS } from './loads';
import type { Results } from './report';

interface Bar {
	name: string;
	value: number;
	label: string;
	/** Whether the work was not done. */
	failed: boolean;
}

interface Chart {
	title: string;
	bars: Bar[];
}

const WIDTH = 820;
const NAME_WIDTH = 240;
const BAR_WIDTH = 380;
const ROW = 22;

function escaped(text: string): string {
	return text.replace(/&/g, '&amp;').replace(/</g, '&lt;');
}

/** One chart of each load: seconds, or megabytes for the memory. */
function chartsOf({ loads, start }: Results): Chart[] {
	const charts = loads.map(({ load, summaries }): Chart => {
		const isMemory = load.name === 'memory';
		const rows = load.task.rows ?? 0;
		const bars = summaries.map((summary): Bar => {
			const failed = summary.served < rows;
			const value = isMemory ? summary.memoryPeak : summary.seconds;
			const unit = isMemory ? `${Math.round(value)} MB` : `${value.toFixed(value < 10 ? 2 : 0)} s`;
			const note = failed
				? `, ${Math.round(summary.served)} of ${rows} rows`
				: load.name === 'details'
					? `, ${summary.requests} requests`
					: '';
			return { name: PEERS[summary.peer], value, label: unit + note, failed };
		});
		return { title: load.title + (isMemory ? ', peak memory' : ''), bars };
	});
	const bar = (name: string, value: number): Bar => ({
		name,
		value,
		label: `${value.toFixed(1)} ms`,
		failed: false,
	});
	const bars = [
		bar(PEERS.ours, start.ours.milliseconds),
		bar(PEERS.axiosNode, start.axios.milliseconds),
	];
	return [...charts, { title: 'Loading the package', bars }];
}

/** The results as a picture, readable on light and dark pages. */
export function toSvg(results: Results): string {
	const lines: string[] = [];
	let y = 8;
	for (const { title, bars } of chartsOf(results)) {
		y += 26;
		lines.push(`<text class="title" x="0" y="${y}">${escaped(title)}</text>`);
		y += 8;
		const most = Math.max(...bars.map(({ value }) => value));
		for (const [index, { name, value, label, failed }] of bars.entries()) {
			const width = Math.max((value / most) * BAR_WIDTH, 2).toFixed(0);
			const kind = failed ? 'failed' : index === 0 ? 'ours' : 'peer';
			lines.push(
				`<text x="0" y="${y + 15}">${escaped(name)}</text>`,
				`<rect class="${kind}" x="${NAME_WIDTH}" y="${y + 3}" width="${width}" height="${ROW - 6}" rx="2"/>`,
				`<text x="${NAME_WIDTH + Number(width) + 6}" y="${y + 15}">${escaped(label)}</text>`,
			);
			y += ROW;
		}
	}
	return `<svg xmlns="http://www.w3.org/2000/svg" viewBox="0 0 ${WIDTH} ${y + 10}" font-family="system-ui, sans-serif" font-size="12">
<style>
text { fill: #57606a; } .title { fill: #24292f; font-weight: 600; font-size: 13px; }
.ours { fill: #2da44e; } .peer { fill: #8c959f; } .failed { fill: #cf222e; }
@media (prefers-color-scheme: dark) { text { fill: #9198a1; } .title { fill: #f0f6fc; } }
</style>
${lines.join('\n')}
</svg>
`;
}
