const { compileFunction } = require('node:vm');
const { default: JestRuntime } = require('jest-runtime');

/** The function of each module: it is compiled once for all suites of a worker, and each suite calls it for a module of its own. */
const compiled = new Map();

/**
 * Jest's way to load modules, but for packages: each is loaded once by Node itself, for all suites of a worker.
 * n8n-core alone takes a second, which each of 80 suites would spend again.
 */
module.exports = class Runtime extends JestRuntime {
	constructor(...options) {
		super(...options);
		const { executor } = this;
		// The context of `environment.cjs`, which has no object of its own.
		executor.compile = (source, filename) => {
			const known = compiled.get(filename);
			if (known?.source === source) return known.run;
			const run = compileFunction(source, executor.injectedModuleParameters, { filename });
			compiled.set(filename, { source, run });
			return run;
		};
	}

	requireModuleOrMock(from, name) {
		const isPackage = !/^[./]|^node:|^@jest\/globals$/.test(name);
		return isPackage ? require(name) : super.requireModuleOrMock(from, name);
	}
};
