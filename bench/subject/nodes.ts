import type { INodeType } from 'n8n-workflow';
import { readFileSync } from 'node:fs';
import { join } from 'node:path';

import type { Surroundings } from '../task';
import { Engine } from './engine';
import { axiosLoop, bareHelper, undiciPool } from './ownNodes';
import { mapInStaticData } from './statusMap';

/** A node of our package, found and loaded as n8n does it. */
function ourNode(packageFolder: string, name: string): INodeType {
	const manifest = readFileSync(join(packageFolder, 'package.json'), 'utf8');
	const { n8n } = JSON.parse(manifest) as { n8n: { nodes: string[] } };
	const file = n8n.nodes.find((path) => path.endsWith(`/${name}.node.js`));
	if (!file) throw new Error(`The package has no node ${name}`);
	// eslint-disable-next-line @typescript-eslint/no-require-imports -- the built package, as n8n loads it
	const types = require(join(packageFolder, file)) as Record<string, new () => INodeType>;
	const Type = types[name];
	if (!Type) throw new Error(`${file} has no ${name}`);
	return new Type();
}

/** The engine with the nodes of all peers, so that every process starts with the same things in memory. */
export function engineFor(task: Surroundings): Engine {
	const engine = new Engine(task.modules, { baseUrl: task.url, apiKey: task.apiKey });
	engine.add('ours', ourNode(task.packageFolder, 'TractorBooking'));
	engine.add('ourTrigger', ourNode(task.packageFolder, 'TractorBookingTrigger'));
	for (const name of ['HttpRequest', 'SplitInBatches', 'Wait', 'Filter']) engine.addOwn(name);
	for (const name of ['SplitOut', 'RemoveDuplicates']) engine.addOwn(name, `Transform/${name}`);
	const ownNodes = { axiosLoop, bareHelper, undiciPool, mapInStaticData };
	for (const [name, make] of Object.entries(ownNodes)) engine.add(name, make(task));
	return engine;
}
