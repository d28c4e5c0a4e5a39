'use strict';
// Loads files as n8n does at its start, in a process of its own, and prints the milliseconds that it took.
// Plain JavaScript, since a loader for TypeScript would be measured with it.
const { createRequire } = require('node:module');
const { join } = require('node:path');

const [modules, ...files] = process.argv.slice(2);
// n8n has loaded this long before it looks for nodes.
createRequire(join(modules, 'n8n', 'package.json'))('n8n-workflow');
const start = performance.now();
for (const file of files) require(file);
console.log(performance.now() - start);
