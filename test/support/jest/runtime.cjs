const { compileFunction } = require('node:vm');
const { default: JestRuntime } = require('jest-runtime');

/**
 * Jest's way to load modules, but for packages: each is loaded once by Node itself, for all suites of a worker.
 * n8n-core alone takes a second, which each of 80 suites would spend again.
 */
module.exports = class Runtime extends JestRuntime {
	constructor(...options) {
		super(...options);
		const { executor } = this;
		// The context of `environment.cjs`, which has no object of its own.
		executor.compile = (source, filename) =>
			compileFunction(source, executor.injectedModuleParameters, { filename });
	}

	requireModuleOrMock(from, name) {
		const isPackage = !/^[./]|^node:|^@jest\/globals$/.test(name);
		return isPackage ? require(name) : super.requireModuleOrMock(from, name);
	}
};
