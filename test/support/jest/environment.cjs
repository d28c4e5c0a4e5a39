const { AsyncLocalStorage } = require('node:async_hooks');
const { ModernFakeTimers } = require('@jest/fake-timers');
const { ModuleMocker } = require('jest-mock');

const { console } = globalThis;
const { exit } = process;
const { run } = AsyncLocalStorage.prototype;

/** What suites use: Jest makes one for each of them, and leaves it enabled. */
const storages = new Set();

AsyncLocalStorage.prototype.run = function (...options) {
	storages.add(this);
	return run.apply(this, options);
};

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
		// Else every promise of the suites after it is handed on to its storage, too: a fifth of their time.
		for (const storage of storages) storage.disable();
		storages.clear();
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
