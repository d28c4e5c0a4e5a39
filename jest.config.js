// Nearly all that tests make is soon gone: with more room for what is new, collecting it takes a tenth less of their time.
process.env.NODE_OPTIONS = `${process.env.NODE_OPTIONS ?? ''} --max-semi-space-size=64`;

/** @type {import('jest').Config} */
module.exports = {
	moduleFileExtensions: ['ts', 'cts', 'js', 'mjs', 'cjs', 'json', 'node'],
	testMatch: ['<rootDir>/test/**/*.test.cts'],
	// The fault matrix runs in `npm run test:faults`.
	testPathIgnorePatterns: ['/node_modules/', ...(process.env.FAULTS ? [] : ['/matrix\\.test'])],
	// The hosts' package.json files have one name; jest-haste-map would tell of that at each fresh start.
	modulePathIgnorePatterns: ['<rootDir>/tools/n8nHost/', '<rootDir>/dist/'],
	testEnvironment: './test/support/jest/environment.cjs',
	runtime: '<rootDir>/test/support/jest/runtime.cjs',
	setupFiles: ['<rootDir>/test/support/setup.cts'],
	transform: {
		'\\.c?ts$': ['@swc/jest', { jsc: { target: 'es2022', parser: { syntax: 'typescript' } } }],
	},
	// n8n-core takes seconds to load on a slow machine, and real sockets are involved.
	testTimeout: 30_000,
	// Many suites wait for a rate limit or a lost answer; the processor is free meanwhile.
	maxWorkers: 3,
};
