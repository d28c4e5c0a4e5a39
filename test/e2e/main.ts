import { parseArgs } from 'node:util';

import { BookingKills } from './bookings';
import { DURABLE_CURSORS, TriggerKills } from './completions';
import { Lifecycle } from './lifecycle';
import type { Report } from './report';
import { Theatre } from './stage';

/** The scenarios by the names under which they can be asked for; `kills` is what was asked for on the way. */
const scenarios: Record<string, (theatre: Theatre, kills?: number) => Promise<Report>> = {
	bookings: async (theatre, kills = 10) =>
		await BookingKills.run(theatre, {
			name: 'bookings',
			title: 'Booking a sheet while n8n is killed',
			kills,
		}),
	lostAnswers: async (theatre, kills = 3) =>
		await BookingKills.run(theatre, {
			name: 'lostAnswers',
			title: 'Booking a sheet while n8n is killed and answers are lost',
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
	completions: async (theatre, kills = 20) =>
		await TriggerKills.run(theatre, {
			name: 'completions',
			title: 'One message for each completed booking while n8n is killed',
			kills,
		}),
	durable: async (theatre, kills = 20) =>
		await TriggerKills.run(theatre, {
			name: 'durable',
			title: 'The same with durable cursors',
			kills,
			env: DURABLE_CURSORS,
		}),
	lifecycle: async (theatre) =>
		await Lifecycle.run(theatre, 'lifecycle', 'The memory of the trigger over its life'),
	lifecycleDurable: async (theatre) =>
		await Lifecycle.run(
			theatre,
			'lifecycleDurable',
			'The memory of the trigger over its life, with durable cursors',
			DURABLE_CURSORS,
		),
};

/** Prints what came of the scenarios; returns whether all went as it must. */
function summarize(reports: Report[], startedAt: number): boolean {
	const minutes = (Date.now() - startedAt) / 60_000;
	console.log(`\nEnd-to-end tests, ${minutes.toFixed(1)} minutes\n`);
	for (const { title, facts, violations } of reports) {
		console.log(`${violations.length === 0 ? '✓' : '✗'} ${title}`);
		for (const fact of facts) console.log(`    ${fact}`);
		for (const violation of violations) console.log(`    ✗ ${violation}`);
	}
	return reports.every(({ violations }) => violations.length === 0);
}

/** `npx tsx test/e2e/main.ts [scenario …] [--kills n] [--keep]` */
async function main(): Promise<void> {
	const { values, positionals } = parseArgs({
		allowPositionals: true,
		options: { kills: { type: 'string' }, keep: { type: 'boolean', default: false } },
	});
	const kills = values.kills === undefined ? undefined : Number(values.kills);
	const names = positionals.length > 0 ? positionals : Object.keys(scenarios);
	const startedAt = Date.now();
	const reports: Report[] = [];
	const theatre = await Theatre.open();
	try {
		for (const name of names) {
			const scenario = scenarios[name];
			if (!scenario)
				throw new Error(`There is no scenario ${name}, only ${Object.keys(scenarios).join(', ')}.`);
			console.log(`\n${name}`);
			reports.push(await scenario(theatre, kills));
			await theatre.clear();
		}
	} finally {
		await theatre.close(values.keep);
	}
	process.exitCode = summarize(reports, startedAt) ? 0 : 1;
}

main().catch((error: unknown) => {
	console.error(error);
	process.exitCode = 1;
});
