'use strict';
// Loads files as n8n does at its start, in a process of its own, and prints the milliseconds that it took.
// Plain JavaScript, since a loader for TypeScript would be measured with it.
const { createRequire } = require('node:module');
const { join } = require('node:path');

const [modules, ...files] = process.argv.slice(2);
// n8n has loaded this long before it looks for nodes.
const ofHost = createRequire(join(modules, 'n8n', 'package.json'));
ofHost('n8n-workflow');
for (const file of files) {
	if (createRequire(file).resolve('n8n-workflow') !== ofHost.resolve('n8n-workflow')) {
		throw new Error(`${file} would load an n8n-workflow of its own, as it does not inside n8n`);
	}
}
const start = performance.now();
for (const file of files) require(file);
console.log(performance.now() - start);
