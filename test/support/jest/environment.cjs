const { ModernFakeTimers } = require('@jest/fake-timers');
const { ModuleMocker } = require('jest-mock');

const { console } = globalThis;
const { exit } = process;

/**
 * Runs suites in Node's own context, where n8n runs nodes too, instead of a context for each suite: an error of
 * a package that `runtime.cjs` loaded once is an `Error` to every suite.
 */
module.exports = class SharedContext {
	global = globalThis;
	moduleMocker = new ModuleMocker(globalThis);

	constructor({ projectConfig: config }) {
		this.fakeTimersModern = new ModernFakeTimers({ config, global: globalThis });
	}

	async setup() {}

	/** Takes away what a suite, and Jest itself, left in the context. */
	async teardown() {
		this.fakeTimersModern.dispose();
		this.moduleMocker.restoreAllMocks();
		// Else the next suite would report to this one.
		delete globalThis[Symbol.for('EVENT_HANDLERS')];
		Object.assign(globalThis, { console });
		process.exit = exit;
	}

	exportConditions() {
		return ['node', 'node-addons'];
	}

	/** None of its own: `runtime.cjs` compiles for Node's. */
	getVmContext() {
		return null;
	}
};
