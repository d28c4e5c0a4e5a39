import { join } from 'node:path';
import { name } from '../package.json';
import type { Note } from '../tools/progress.cts';
import type { Theatre } from '../tools/theatre.cts';

/** A real n8n, and our package as it is published. */
export interface Installation {
	/** Of n8n and Node.js. */
	versions: string;
	/** The Node.js that runs it. */
	node: string;
	/** Its `node_modules`. */
	modules: string;
	/** Holds everything that the bench leaves on disk. */
	folder: string;
	/** Our package, built and installed. */
	packageFolder: string;
}

/** What every part of the bench is given. */
export interface Bench {
	installation: Installation;
	/** Less than 1 for smaller works, each measured once, to try the bench. */
	scale: number;
	/** Shows what is being measured. */
	note: Note;
}

/** @throws CommandError if the build fails. @throws SetupError if the machine lacks something. */
export async function install(theatre: Theatre): Promise<Installation> {
	const { host, versions } = theatre;
	const folder = await theatre.install('bench');
	const packageFolder = join(folder, '.n8n', 'nodes', 'node_modules', name);
	const modules = join(host.n8n, '..', '..', '..');
	return { versions, node: host.node, modules, folder, packageFolder };
}

/**
 * Measures all in turn, round after round: other load on the machine then affects all of them.
 * @returns the samples of each
 */
export async function measureInTurn<Sample>(
	{ scale, note }: Bench,
	names: string[],
	rounds: number,
	measure: (name: string) => Promise<Sample>,
): Promise<Array<[string, Sample[]]>> {
	const all = names.map((name): [string, Sample[]] => [name, []]);
	const count = scale < 1 ? 1 : rounds;
	for (let round = 1; round <= count; round++) {
		for (const [name, samples] of all) {
			note(`round ${round} of ${count}: ${name}`);
			samples.push(await measure(name));
		}
	}
	return all;
}
