const SharedContext = require('../support/jest/environment.cjs');

/** The context of the suites, in which the first failure decides: the tests after it are left out. */
module.exports = class FirstFailure extends SharedContext {
	handleTestEvent({ name, test }) {
		if (name === 'test_start') {
			// What a mutant lets hang need not hang for long.
			const { timeoutMs } = globalThis.__stryker__;
			test.timeout = Math.min(test.timeout ?? timeoutMs, timeoutMs);
			if (this.hasFailed) test.mode = 'skip';
		}
		if (name === 'test_done') this.hasFailed ||= test.errors.length > 0;
	}
};
