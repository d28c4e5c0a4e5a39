const { readFileSync } = require('node:fs');
const { createTransformer } = require('@swc/jest');

const { transform } = require('../../jest.config.js');

const [[, options]] = Object.values(transform);
const swc = createTransformer(options);

/** TypeScript with mutants in it, by absolute path. */
const mutated = JSON.parse(readFileSync(process.env.MUTATED_FILES, 'utf8'));

/** Compiles as Jest does otherwise, but what has mutants instead of what is on the disk. */
const onMutated = (compile) => (source, path, how) => compile(mutated[path] ?? source, path, how);

module.exports = {
	process: onMutated(swc.process),
	getCacheKey: onMutated(swc.getCacheKey),
};
