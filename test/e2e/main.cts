import { parseArgs } from 'node:util';

import { n8nVersions, SetupError, type N8nVersion } from '../../tools/n8nHost/host.cts';
import { backup } from './backup.cts';
import { bookings } from './bookings.cts';
import { completions, DURABLE_CURSORS } from './completions.cts';
import { day } from './day.cts';
import { editor } from './editor.cts';
import { examples } from './examples.cts';
import { compatibility, flows } from './flows.cts';
import { lifecycle } from './lifecycle.cts';
import { pages } from './pages.cts';
import { queueBookings, queueCompletions } from './queue.cts';
import { queueSlowStore } from './sameRows.cts';
import { Theatre } from '../../tools/theatre.cts';

/** The scenarios by name: each gives what must not happen and did. @param kills how many were asked for */
const scenarios: Record<string, (theatre: Theatre, kills?: number) => Promise<string[]>> = {
	examples,
	flows,
	compatibility,
	editor,
	pages,
	bookings,
	completions,
	durable: async (theatre, kills) => await completions(theatre, kills, 'durable', DURABLE_CURSORS),
	day,
	lifecycle: async (theatre) => await lifecycle(theatre, 'lifecycle'),
	lifecycleDurable: async (theatre) =>
		await lifecycle(theatre, 'lifecycleDurable', DURABLE_CURSORS),
	lifecycleBackup: backup,
	queueBookings,
	queueSlowStore,
	queueCompletions,
};

/** @throws SetupError if there is none of a name that was asked for @returns all if none was asked for */
function chosen(asked: string[]) {
	const names = Object.keys(scenarios);
	for (const beginning of asked)
		if (!names.some((name) => name.startsWith(beginning)))
			throw new SetupError(`There is no scenario ${beginning}, only ${names.join(', ')}.`);
	const isAsked = (name: string) => asked.some((beginning) => name.startsWith(beginning));
	return Object.entries(scenarios).filter(([name]) => asked.length === 0 || isAsked(name));
}

/** @throws SetupError if no n8n of that version can be installed */
function versionOf(asked?: string): N8nVersion | undefined {
	const version = n8nVersions.find((one) => one === asked);
	if (asked === version) return version;
	throw new SetupError(`There is no n8n ${asked} here, only ${n8nVersions.join(', ')}.`);
}

/** `node -r tsx/cjs test/e2e/main.cts [scenario …] [--kills n] [--n8n version] [--keep]` */
async function main(): Promise<void> {
	const { values, positionals } = parseArgs({
		allowPositionals: true,
		options: {
			kills: { type: 'string' },
			n8n: { type: 'string' },
			keep: { type: 'boolean', default: false },
		},
	});
	const kills = values.kills === undefined ? undefined : Number(values.kills);
	const startedAt = Date.now();
	let passed = 0;
	const plan = chosen(positionals);
	const theatre = await Theatre.open(versionOf(values.n8n));
	try {
		for (const [name, run] of plan) {
			console.log(`\n${name}`);
			const playing = theatre.play(async (scene) => await run(scene, kills));
			const violations = await playing.catch((error: unknown) => {
				if (error instanceof SetupError) return [error.message];
				throw error;
			});
			for (const violation of violations) console.log(`  ✗ ${violation}`);
			console.log(`${violations.length === 0 ? '✓' : '✗'} ${name}`);
			if (violations.length === 0) passed += 1;
		}
	} finally {
		await theatre.close(values.keep);
	}
	const minutes = (Date.now() - startedAt) / 60_000;
	console.log(`\n${passed} of ${plan.length} passed, ${minutes.toFixed(1)} minutes`);
	process.exitCode = passed === plan.length ? 0 : 1;
}

// Each n8n and each server listens for our end, so that none is left running.
process.setMaxListeners(50);
for (const signal of ['SIGINT', 'SIGTERM'] as const) process.once(signal, () => process.exit(1));

main().catch((error: unknown) => {
	console.error(error instanceof SetupError ? error.message : error);
	process.exitCode = 1;
});
