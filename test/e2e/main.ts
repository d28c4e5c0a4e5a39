import { writeFile } from 'node:fs/promises';
import { parseArgs } from 'node:util';

import type { N8nVersion } from '../../tools/n8nHost/host';
import { n8nVersions, SetupError } from '../../tools/n8nHost/host';
import { missingBrowser } from '../../tools/browser';
import { Again } from './again';
import { BookingKills } from './bookings';
import { compatibility } from './compatibility';
import { DURABLE_CURSORS, TriggerKills } from './completions';
import { EditorFlows } from './editor';
import { Examples } from './examples';
import { flowsScenario } from './flows';
import { InStep } from './inStep';
import { Lifecycle } from './lifecycle';
import { QueueBookings, queueCompletions, queueOverlap } from './queue';
import type { Report } from './report';
import { toMarkdown } from './report';
import { missingForQueue } from './servers';
import { Theatre } from './stage';

const bookingText = {
	story:
		'The example workflow books the rows of an uploaded sheet. n8n is killed while it reads the list of bookings and while it sends rows. Then the same sheet is uploaded once more, undisturbed.',
	expected:
		'No row is booked twice, and the last run reports each with its own booking; up to 8 rows of each killed run are `unknown` until their claims end.',
};

const completionText = {
	story:
		'The example workflow polls, and sends an SMS for each completed booking, while bookings change all the time. n8n is killed in the middle of a poll, soon after one, while messages are sent, or at any time, and started again.',
	expected: 'Each completion has at least one execution and exactly one SMS, to the right phone.',
};

/** A scenario; `kills` is what was asked for on the way. */
interface Scenario {
	run: (theatre: Theatre, kills?: number) => Promise<Report>;
	/** What this machine lacks for it; undefined if nothing. */
	missing?: () => string | undefined;
}

/** The scenarios by name. A name's beginning asks for all scenarios that begin so. */
const scenarios: Record<string, Scenario> = {
	examples: {
		run: async (theatre) => await Examples.run(theatre),
	},
	flows: {
		run: async (theatre) => await flowsScenario(theatre),
	},
	compatibility: {
		run: async () => await compatibility(),
	},
	editor: {
		run: async (theatre) => await EditorFlows.run(theatre),
		missing: missingBrowser,
	},
	again: {
		run: async (theatre) => await Again.run(theatre),
	},
	bookings: {
		run: async (theatre, kills = 10) =>
			await BookingKills.run(theatre, {
				name: 'bookings',
				title: 'A sheet is booked while n8n is killed',
				...bookingText,
				kills,
			}),
	},
	lostAnswers: {
		run: async (theatre, kills = 3) =>
			await BookingKills.run(theatre, {
				name: 'lostAnswers',
				title: 'A sheet is booked while n8n is killed and responses are lost',
				...bookingText,
				story: `${bookingText.story} Meanwhile one response in ten is lost after the row was booked.`,
				kills,
				faults: [
					{ match: { endpoint: 'create' }, probability: 0.05, fault: { kind: 'lostAnswer' } },
					{
						match: { endpoint: 'create' },
						probability: 0.05,
						fault: { kind: 'lostAnswer', how: 504 },
					},
				],
			}),
	},
	completions: {
		run: async (theatre, kills = 20) => {
			const title = 'Messages are sent while n8n is killed';
			const scenario = { title, ...completionText, kills };
			return await TriggerKills.run(theatre, scenario, async (sandbox) => ({
				main: await theatre.startN8n('completions', sandbox),
			}));
		},
	},
	durable: {
		run: async (theatre, kills = 20) => {
			const title = 'Messages are sent while n8n is killed, with durable cursors';
			const scenario = { title, ...completionText, kills };
			return await TriggerKills.run(theatre, scenario, async (sandbox) => ({
				main: await theatre.startN8n('durable', sandbox, DURABLE_CURSORS),
			}));
		},
	},
	lifecycle: {
		run: async (theatre) => await Lifecycle.run(theatre, 'lifecycle', 'The life of a trigger'),
	},
	lifecycleDurable: {
		run: async (theatre) =>
			await Lifecycle.run(
				theatre,
				'lifecycleDurable',
				'The life of a trigger, with durable cursors',
				DURABLE_CURSORS,
			),
	},
	queueBookings: {
		run: async (theatre) => await QueueBookings.run(theatre),
		missing: missingForQueue,
	},
	queueOverlap: {
		run: async (theatre) => await queueOverlap(theatre),
		missing: missingForQueue,
	},
	queueInStep: {
		run: async (theatre) => await InStep.run(theatre),
		missing: missingForQueue,
	},
	queueCompletions: {
		run: async (theatre, kills = 10) => await queueCompletions(theatre, kills),
		missing: missingForQueue,
	},
};

/**
 * The scenarios whose names begin as asked for; all that this machine can play if none was asked for.
 *
 * @throws SetupError if one that was asked for cannot be played
 */
function chosen(asked: string[]): Array<[string, Scenario]> {
	const all = Object.entries(scenarios);
	const isAsked = (name: string) => asked.some((beginning) => name.startsWith(beginning));
	const unknown = asked.filter((beginning) => !all.some(([name]) => name.startsWith(beginning)));
	if (unknown.length > 0) {
		const names = Object.keys(scenarios).join(', ');
		throw new SetupError(`There is no scenario ${unknown.join(', ')}, only ${names}.`);
	}
	return all.filter(([name, { missing }]) => {
		if (asked.length > 0 && !isAsked(name)) return false;
		const reason = missing?.();
		if (!reason) return true;
		if (asked.length > 0) throw new SetupError(reason);
		console.log(`Left out: ${name}. ${reason}`);
		return false;
	});
}

/** @throws SetupError if no n8n of that version can be installed */
function versionOf(asked?: string): N8nVersion | undefined {
	const version = n8nVersions.find((one) => one === asked);
	if (asked === version) return version;
	throw new SetupError(`There is no n8n ${asked} here, only ${n8nVersions.join(', ')}.`);
}

/** Prints what came of the scenarios. */
function summarize(reports: Report[], minutes: number): void {
	console.log(`\nEnd-to-end tests, ${minutes.toFixed(1)} minutes\n`);
	for (const { title, facts, violations } of reports) {
		console.log(`${violations.length === 0 ? '✓' : '✗'} ${title}`);
		for (const fact of facts) console.log(`    ${fact}`);
		for (const violation of violations) console.log(`    ✗ ${violation}`);
	}
}

/** `npx tsx test/e2e/main.ts [scenario …] [--kills n] [--at-once n] [--n8n version] [--keep] [--write page.md]` */
async function main(): Promise<void> {
	const { values, positionals } = parseArgs({
		allowPositionals: true,
		options: {
			kills: { type: 'string' },
			'at-once': { type: 'string', default: '1' },
			n8n: { type: 'string' },
			keep: { type: 'boolean', default: false },
			write: { type: 'string' },
		},
	});
	const kills = values.kills === undefined ? undefined : Number(values.kills);
	const startedAt = new Date();
	const reports: Report[] = [];
	const plan = chosen(positionals);
	const theatre = await Theatre.open(versionOf(values.n8n));
	try {
		const left = [...plan.entries()];
		const playOn = async () => {
			for (let next = left.shift(); next; next = left.shift()) {
				const [index, [name, { run }]] = next;
				console.log(`\n${name}`);
				reports[index] = await theatre.play(async (scene) => await run(scene, kills));
			}
		};
		const lanes = Array.from({ length: Number(values['at-once']) }, playOn);
		await Promise.allSettled(lanes);
		await Promise.all(lanes);
	} finally {
		await theatre.close(values.keep);
	}
	const minutes = (Date.now() - startedAt.getTime()) / 60_000;
	summarize(reports, minutes);
	if (values.write) {
		const page = toMarkdown(reports, { ...theatre.versions, startedAt, minutes });
		await writeFile(values.write, page);
	}
	process.exitCode = reports.every(({ violations }) => violations.length === 0) ? 0 : 1;
}

// Each n8n and each server listens for our end, so that none is left running.
process.setMaxListeners(50);
for (const signal of ['SIGINT', 'SIGTERM'] as const) process.once(signal, () => process.exit(1));

main().catch((error: unknown) => {
	console.error(error instanceof SetupError ? error.message : error);
	process.exitCode = 1;
});
