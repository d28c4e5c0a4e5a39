/** What is wrong with so many, a few of which are named; nothing if there are none. */
export function listed(wrong: readonly unknown[], text: string, most = 10): string[] {
	const more = wrong.length > most ? ` and ${wrong.length - most} more` : '';
	const named = wrong.slice(0, most).join(', ');
	return wrong.length > 0 ? [`${wrong.length} ${text}: ${named}${more}`] : [];
}

/** @throws Error that names what is not as it must be */
export function mustBe(what: string, seen: unknown, wanted: unknown): void {
	const [is, must] = [seen, wanted].map((value) => JSON.stringify(value));
	if (is !== must) throw new Error(`${what}: ${is} instead of ${must}`);
}

/** @throws Error that says what was said, if it lacks some of the words */
export function mustSay(what: string, said: string, ...words: Array<string | RegExp>): void {
	const isSaid = (word: string | RegExp) =>
		typeof word === 'string' ? said.includes(word) : word.test(said);
	const missing = words.filter((word) => !isSaid(word));
	if (missing.length > 0) throw new Error(`${what}: ${said} lacks ${missing.join(' and ')}`);
}

/** Takes one step after the other. One that fails does not keep the others from being tried. @returns what failed */
export async function takeSteps(
	steps: Record<string, () => Promise<void>>,
	afterEach: (name: string) => Promise<unknown> = async () => await Promise.resolve(),
): Promise<string[]> {
	const violations: string[] = [];
	for (const [name, take] of Object.entries(steps)) {
		const problem = await take().then(
			() => undefined,
			(error: unknown) => (error instanceof Error ? error.message : String(error)),
		);
		if (problem !== undefined) violations.push(`${name}: ${problem}`);
		console.log(`  ${problem === undefined ? '✓' : '✗'} ${name}`);
		await afterEach(name);
	}
	return violations;
}
