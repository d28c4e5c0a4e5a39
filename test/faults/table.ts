import type { Placement } from './placements';
import { MESSAGES } from './messages';

/** What came of each fault at each placement, in a word: `ok`, or the code of a message. */
export class Matrix {
	private readonly rows = new Map<string, Map<string, string>>();

	add(fault: string, { name }: Placement, word: string): void {
		const row = this.rows.get(fault) ?? new Map<string, string>();
		this.rows.set(fault, row.set(name, word));
	}

	/** The matrix as text, with the meaning of its words beneath; `-` is what is not tried. */
	toText(placements: readonly Placement[]): string {
		const width = Math.max(...[...this.rows.keys()].map((name) => name.length));
		const line = (name: string, cells: string[]) =>
			`${name.padEnd(width)} ${cells.map((cell) => cell.padStart(5)).join('')}`;
		const numbers = placements.map((_, index) => String(index + 1));
		const words = [...this.rows.values()].flatMap((row) => [...row.values()]);
		const count = (word: string) => words.filter((other) => other === word).length;
		const codes = [...new Set(MESSAGES.map(({ code }) => code))];
		return [
			line('', numbers),
			...[...this.rows].map(([name, row]) =>
				line(
					name,
					placements.map((placement) => row.get(placement.name) ?? '-'),
				),
			),
			'',
			...placements.map(({ name }, index) => `${numbers[index]?.padStart(4)}  ${name}`),
			'',
			`${'ok'.padStart(4)}  ${count('ok')}: a result`,
			...codes.map((code) => {
				const meant = MESSAGES.filter((message) => message.code === code);
				return `${code.padStart(4)}  ${count(code)}: ${meant.map(({ see }) => see).join(' / ')}`;
			}),
			`${words.length} cells`,
			'',
		].join('\n');
	}
}
