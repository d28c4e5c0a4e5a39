/*
 * Small faults are put into the code, one at a time, and the suites of its folder have to notice. FOLDER says where,
 * LINES how many lines of each folder are tried (0: all), SEED which.
 */
import { createHash } from 'node:crypto';
import { readdirSync, readFileSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';

const NODES = 'nodes/TractorBooking';

/** The suites that have to notice a fault in a folder. */
const SUITES = {
	// What is said of a filter or an ID is read by the suite of what is read.
	parse: ['parse/**/*', 'methods/*', 'resources/reads'],
	api: ['api/**/*', 'credentials/*', 'methods/*'],
	trigger: ['trigger/*'],
	// How an operation is named is read by the suite of the description.
	'resources/booking/create': ['resources/create/**/*', 'description'],
};

/** Suites of another kind: loads, and what looks at whole nodes. */
const LEFT_OUT = '(schemas|literalChoices)';

/** Lines that are tried together, so that a fault may be as large as a small function. */
const WINDOW = 15;

const { FOLDER = Object.keys(SUITES).join(), LINES = '60', SEED = '1' } = process.env;
const folders = FOLDER.split(',');

const rank = (range) => createHash('sha256').update(`${SEED} ${range}`).digest('hex');

/** The windows of a folder or a file, in an order that stays the same where the code does. */
function windowsOf(path) {
	const files = path.endsWith('.ts')
		? [join(NODES, path)]
		: readdirSync(join(NODES, path), { recursive: true }).map((file) => join(NODES, path, file));
	return files
		.filter((file) => file.endsWith('.ts') && !file.endsWith('description.ts'))
		.flatMap((file) => {
			const { length } = readFileSync(file, 'utf8').split('\n');
			return Array.from({ length: Math.ceil(length / WINDOW) }, (_, at) => {
				return `${file}:${at * WINDOW + 1}-${Math.min((at + 1) * WINDOW, length)}`;
			});
		})
		.sort((a, b) => (rank(a) < rank(b) ? -1 : 1))
		.slice(0, Number(LINES) === 0 ? undefined : Math.ceil(Number(LINES) / WINDOW));
}

const suites = folders.flatMap((path) => {
	const folder = Object.keys(SUITES).find((name) => `${path}/`.startsWith(`${name}/`));
	if (folder === undefined) throw new Error(`No suites are known for ${path}`);
	return SUITES[folder];
});

/** @type {import('@stryker-mutator/api/core').PartialStrykerOptions} */
export default {
	mutate: folders.flatMap(windowsOf),
	testRunner: 'jest',
	jest: {
		configFile: 'jest.config.js',
		config: {
			testMatch: suites.map((suite) => `<rootDir>/test/${suite}.test.cts`),
			testPathIgnorePatterns: ['/node_modules/', `/${LEFT_OUT}\\.test`],
		},
		enableFindRelatedTests: false,
	},
	coverageAnalysis: 'perTest',
	// That the machine is busy with other work is no fault that was noticed.
	timeoutFactor: 3,
	dryRunTimeoutMinutes: 30,
	timeoutMS: 30_000,
	// A fault in what runs when a file is loaded takes all suites to notice: minutes, if they are those of all folders.
	ignoreStatic: folders.length > 1,
	reporters: ['clear-text', 'progress-append-only'],
	clearTextReporter: { allowColor: false, logTests: false, reportTests: false },
	thresholds: { break: 85 },
	tempDirName: join(tmpdir(), 'tractor-booking-mutants'),
};
