import { parseArgs } from 'node:util';

import { n8nVersions, SetupError, type N8nVersion } from '../../tools/n8nHost/host.cts';
import { missingBrowser } from '../../tools/browser.cts';
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
import { missingForQueue } from './servers.cts';
import { Theatre } from '../../tools/theatre.cts';

interface Scenario {
	/**
	 * @param kills how many were asked for
	 * @returns what must not happen and did
	 */
	run: (theatre: Theatre, kills?: number) => Promise<string[]>;
	/** What this machine lacks for it; undefined if nothing. */
	missing?: () => string | undefined;
}

/** The scenarios by name. A name's beginning asks for all scenarios that begin so. */
const scenarios: Record<string, Scenario> = {
	examples: { run: examples },
	flows: { run: flows },
	compatibility: { run: compatibility },
	editor: { run: editor, missing: missingBrowser },
	pages: { run: pages, missing: missingBrowser },
	bookings: { run: bookings },
	completions: { run: completions },
	durable: {
		run: async (theatre, kills) => await completions(theatre, kills, 'durable', DURABLE_CURSORS),
	},
	day: { run: day },
	lifecycle: { run: async (theatre) => await lifecycle(theatre, 'lifecycle') },
	lifecycleDurable: {
		run: async (theatre) => await lifecycle(theatre, 'lifecycleDurable', DURABLE_CURSORS),
	},
	lifecycleBackup: { run: backup },
	queueBookings: { run: queueBookings, missing: missingForQueue },
	queueSlowStore: { run: queueSlowStore, missing: missingForQueue },
	queueCompletions: { run: queueCompletions, missing: missingForQueue },
};

/**
 * The scenarios whose names begin as asked for; all that this machine can play if none was asked for.
 *
 * @throws SetupError if one that was asked for cannot be played
 */
function chosen(asked: string[]): Array<[string, Scenario]> {
	const names = Object.keys(scenarios);
	for (const beginning of asked)
		if (!names.some((name) => name.startsWith(beginning)))
			throw new SetupError(`There is no scenario ${beginning}, only ${names.join(', ')}.`);
	return Object.entries(scenarios).filter(([name, { missing }]) => {
		const isAsked = asked.some((beginning) => name.startsWith(beginning));
		if (asked.length > 0 && !isAsked) return false;
		const reason = missing?.();
		if (reason && isAsked) throw new SetupError(reason);
		if (reason) console.log(`Left out: ${name}. ${reason}`);
		return !reason;
	});
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
		for (const [name, { run }] of plan) {
			console.log(`\n${name}`);
			const violations = await theatre.play(async (scene) => await run(scene, kills));
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
