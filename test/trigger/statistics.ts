/** Counts what histories are made of, so that one can see what was tried. */
export class Statistics {
	private readonly counts = new Map<string, number>();

	count(what: string, times = 1): void {
		this.counts.set(what, (this.counts.get(what) ?? 0) + times);
	}

	/** One line for each, the names in alphabetical order. */
	toString(): string {
		const sorted = [...this.counts].sort(([a], [b]) => (a < b ? -1 : 1));
		return sorted.map(([what, times]) => `${String(times).padStart(10)} ${what}`).join('\n');
	}
}
