import { readFileSync, writeFileSync } from 'node:fs';

/** A page of outcomes, which a suite makes anew and compares. With `SHEETS=write`, it is written instead. */
export class OutcomePage {
	private readonly sections: string[] = [];

	constructor(private readonly path: string) {}

	/** Adds a section. Each is judged by itself, so that the test that is wrong fails. */
	tell(heading: string, text: string): void {
		const section = `# ${heading}\n\n${text}\n`;
		this.sections.push(section);
		if (process.env.SHEETS === 'write') return;
		const sections = readFileSync(this.path, 'utf8').split(/\n(?=# )/);
		if (sections.includes(section)) return;
		expect(section).toBe(sections.find((one) => one.startsWith(`# ${heading}\n`)));
	}

	/** Whether the page has these sections, and no others. */
	judge(): void {
		const page = this.sections.join('\n');
		if (process.env.SHEETS === 'write') writeFileSync(this.path, page);
		expect(page).toBe(readFileSync(this.path, 'utf8'));
	}
}
