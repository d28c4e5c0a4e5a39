// Checks the repository's layout, and the package as it would be published: what n8n needs, and nothing else.
import {
	analyzePackage,
	SOURCE_FILE_PATTERNS,
} from '@n8n/scan-community-package/scanner/scanner.mjs';
import { config } from '@n8n/node-cli/eslint';
import { ESLint } from 'eslint';
import n8nNodesBase from 'eslint-plugin-n8n-nodes-base';
import assert from 'node:assert/strict';
import { execFileSync, spawnSync } from 'node:child_process';
import { createHash } from 'node:crypto';
import {
	existsSync,
	mkdirSync,
	mkdtempSync,
	readdirSync,
	readFileSync,
	rmSync,
	statSync,
	symlinkSync,
} from 'node:fs';
import { createRequire } from 'node:module';
import { tmpdir } from 'node:os';
import { basename, dirname, join } from 'node:path';
import { fileURLToPath } from 'node:url';

const checkout = fileURLToPath(new URL('..', import.meta.url));
const folder = mkdtempSync(join(tmpdir(), 'check-package-'));
process.on('exit', () => rmSync(folder, { recursive: true, force: true }));

const run = (command, ...args) =>
	execFileSync(command, args, {
		cwd: checkout,
		encoding: 'utf8',
		stdio: ['ignore', 'pipe', 'inherit'],
	});

// What a reviewer of community nodes looks for at the top of the repository.
for (const path of ['package.json', 'tsconfig.json', 'gulpfile.js', 'index.js', 'README.md'])
	assert(existsSync(join(checkout, path)), `the file ${path} is missing`);
for (const path of ['nodes', 'credentials', 'test'])
	assert(existsSync(join(checkout, path)), `the folder ${path} is missing`);

// The tools that this project has to be made with, and the tracked files that have to import them.
const { devDependencies, scripts } = JSON.parse(
	readFileSync(join(checkout, 'package.json'), 'utf8'),
);
for (const [name, ...users] of [
	['n8n-workflow', 'nodes'],
	['n8n-core', 'test'],
	['axios', 'test', 'tools', 'bench'],
	['eslint-plugin-n8n-nodes-base', 'eslint.strict.config.mjs'],
	['gulp', 'gulpfile.js'],
]) {
	assert(name in devDependencies, `${name} is not among the devDependencies`);
	const anImport = `(from |require\\(|import\\()'${name}'`;
	const { status } = spawnSync('git', ['grep', '-qE', anImport, '--', ...users], {
		cwd: checkout,
		stdio: 'inherit',
	});
	assert.equal(status, 0, `${name} is imported by no tracked file of ${users.join(', ')}`);
}
assert('jest' in devDependencies, 'jest is not among the devDependencies');
assert.match(scripts.test, /^jest\b/, 'npm test does not call jest');
assert.match(scripts.build, /^gulp\b/, 'npm run build does not call gulp');

const filesIn = (folder) =>
	readdirSync(join(checkout, folder), { recursive: true, withFileTypes: true })
		.filter((entry) => entry.isFile())
		.map(({ parentPath, name }) => join(parentPath, name))
		.sort();

// What n8n's own tool builds loads in n8n from the checkout. What is published is always made by gulp.
run('npx', 'n8n-node', 'build');
const { n8n } = JSON.parse(readFileSync(join(checkout, 'package.json'), 'utf8'));
for (const path of [...n8n.nodes, ...n8n.credentials]) {
	const [className] = basename(path).split('.');
	const { icon, description } = new (createRequire(join(checkout, path))(`./${basename(path)}`)[
		className
	])();
	const { light } = icon ?? description.icon;
	const file = join(checkout, dirname(path), light.slice('file:'.length));
	assert(existsSync(file), `n8n-node build leaves out ${file}`);
	const codex = join(checkout, path.replace(/\.js$/, '.json'));
	assert(icon ?? existsSync(codex), `n8n-node build leaves out ${codex}`);
}
console.log('n8n-node build makes:');
for (const folder of readdirSync(join(checkout, 'dist'))) {
	assert(/^(nodes|credentials|icons)$/.test(folder), `n8n-node build adds ${folder}`);
	const sizes = filesIn(`dist/${folder}`).map((path) => statSync(path).size);
	const bytes = sizes.reduce((sum, size) => sum + size, 0);
	console.log(`  ${folder}: ${sizes.length} files, ${bytes} bytes`);
}

// The same sources give the same bytes, so that anyone can compare what is published with them.
const digests = () =>
	filesIn('dist').map(
		(path) => `${createHash('sha256').update(readFileSync(path)).digest('hex')} ${path}`,
	);
const [first, second] = [1, 2].map(() => {
	run('npm', 'run', 'build');
	return digests();
});
assert.deepEqual(second, first, 'two builds of the same sources differ');

const [packed] = JSON.parse(run('npm', 'pack', '--json', '--pack-destination', folder));
const files = packed.files.map(({ path }) => path);

// Only what is built, and what npm always adds.
const isAllowed = (path) =>
	/^dist\/(nodes|credentials|icons|licences)\//.test(path) ||
	/^(package\.json|index\.js|README\.md|LICENSE\.md)$/.test(path);
const strangers = files.filter((path) => !isAllowed(path));
assert.deepEqual(strangers, [], 'files that do not belong into the package');
const leaks = files.filter((path) =>
	/\.(test|spec)\.|\.c?ts$(?<!\.d\.ts)|\.map$|\.tsbuildinfo$|__/.test(
		path.replace('/__schema__/', '/'),
	),
);
assert.deepEqual(leaks, [], 'sources, tests or maps in the package');
for (const path of ['package.json', 'README.md', 'LICENSE.md'])
	assert(files.includes(path), `${path} is missing`);

// The phone library is MIT, the numbering plans in it are Apache 2.0, which asks for its text.
for (const [name, title] of [
	['LICENSE', /MIT License/],
	['LICENSE.Apache', /Apache License\s+Version 2\.0/],
]) {
	const text = readFileSync(join(checkout, 'dist/licences/libphonenumber-js', name), 'utf8');
	assert.match(text, title, `${name} of the phone library`);
}

// Unpacked where only n8n-workflow can be resolved, as in n8n's own folder for community packages.
const modules = join(folder, 'node_modules');
const root = join(modules, packed.name);
mkdirSync(root, { recursive: true });
execFileSync('tar', ['-xzf', join(folder, packed.filename), '-C', root, '--strip-components=1']);
symlinkSync(join(checkout, 'node_modules', 'n8n-workflow'), join(modules, 'n8n-workflow'));

const manifest = JSON.parse(readFileSync(join(root, 'package.json'), 'utf8'));
assert.deepEqual(manifest.dependencies ?? {}, {}, 'run-time dependencies');
assert.deepEqual(manifest.peerDependencies, { 'n8n-workflow': '*' });
assert.deepEqual(manifest.files, ['dist']);
for (const script of ['preinstall', 'install', 'postinstall', 'prepare']) {
	assert(!(script in manifest.scripts), `the lifecycle script ${script} would run at users'`);
}
assert(
	manifest.keywords.includes('n8n-community-node-package'),
	'the keyword by which n8n finds the package',
);

const require = createRequire(join(root, 'package.json'));
// What n8n allows a community node to import, of what this package uses.
const allowedModules = new Set(['n8n-workflow', 'node:crypto']);
for (const path of files.filter((name) => name.endsWith('.js'))) {
	const source = readFileSync(join(root, path), 'utf8');
	for (const [, name] of source.matchAll(/\brequire\(["']([^"']+)["']\)/g)) {
		if (name.startsWith('.')) require.resolve(join(root, dirname(path), name));
		else assert(allowedModules.has(name), `${path} imports ${name}`);
	}
}

/** Loads the one class of a node or credential file, by the name that n8n expects. */
function load(path) {
	const className = path.replace(/^.*\/|\.(node|credentials)\.js$/g, '');
	const loaded = require(join(root, path))[className];
	assert(loaded, `${path} does not export ${className}`);
	return new loaded();
}

function checkIcon(icon, path) {
	for (const file of [icon?.light, icon?.dark]) {
		assert(file?.startsWith('file:'), `${path} lacks an icon, light or dark`);
		readFileSync(join(root, dirname(path), file.slice('file:'.length)));
	}
}

/**
 * The editor replaces the choice among credentials by one of its own: it hides every field that the chosen credential
 * depends on, and every field that those depend on in turn, by `displayOptions.show`.
 */
function fieldsHiddenByTheEditor({ credentials = [], properties }) {
	const shownFor = ({ displayOptions }) => Object.keys(displayOptions?.show ?? {});
	const choosing = new Set(credentials.flatMap(shownFor));
	return [...new Set(properties.filter(({ name }) => choosing.has(name)).flatMap(shownFor))];
}

const credentialNames = manifest.n8n.credentials.map((path) => {
	const credential = load(path);
	checkIcon(credential.icon, path);
	return credential.name;
});
for (const path of manifest.n8n.nodes) {
	const { description } = load(path);
	checkIcon(description.icon, path);
	assert.deepEqual(
		fieldsHiddenByTheEditor(description),
		[],
		`fields of ${path} that n8n's editor would hide`,
	);
	const codex = JSON.parse(readFileSync(join(root, path.replace(/\.js$/, '.json')), 'utf8'));
	assert.equal(
		codex.node,
		`${manifest.name}.${description.name}`,
		`the codex file of ${path} names another node`,
	);
	for (const { name } of description.credentials ?? []) {
		assert(credentialNames.includes(name), `${path} asks for the unknown credential ${name}`);
	}
}

/**
 * The findings of both versions of n8n's lint plugins in a description, written out as literal TypeScript: they see little
 * of fields that functions make.
 */
async function findingsIn(path) {
	const source = path.replace(/^dist\//, '').replace(/\.js$/, '.ts');
	const name = source.replace(/^.*\/|\.node\.ts$/g, '');
	const text = (json) => `'${JSON.parse(json).replace(/[\\']/g, '\\$&').replace(/\n/g, '\\n')}'`;
	const literal = JSON.stringify(load(path).description, null, '\t')
		.replace(/"(\w+)":/g, '$1:')
		.replace(/"main"/g, 'NodeConnectionTypes.Main')
		.replace(/"(?:[^"\\]|\\.)*"/g, text);
	const code = `import type { INodeType, INodeTypeDescription } from 'n8n-workflow';
import { NodeConnectionTypes } from 'n8n-workflow';

export class ${name} implements INodeType {
	description: INodeTypeDescription = ${literal};
}
`;
	const { rules } = n8nNodesBase.configs.nodes;
	const newer = {
		files: ['nodes/**/*.ts'],
		plugins: { newer: n8nNodesBase },
		rules: Object.fromEntries(
			Object.entries(rules).map(([rule, level]) => [rule.replace(/^.*\//, 'newer/'), level]),
		),
	};
	const eslint = new ESLint({
		cwd: checkout,
		overrideConfigFile: true,
		overrideConfig: [...config, newer],
	});
	const [{ messages }] = await eslint.lintText(code, { filePath: join(checkout, source) });
	const lines = code.split('\n');
	return messages.map(
		({ ruleId, message, line }) => `${ruleId}: ${lines[line - 1].trim()} (${message})`,
	);
}

/** What is so on purpose: the beginning of the rule's name, what the finding holds, and the reason beside it. */
const INTENDED = [
	// These want ['main']; n8n's newer plugin wants NodeConnectionTypes.Main, which is the same.
	['node-class-description-', /^\S+: (?:in|out)puts:/],
	// "None" comes first, and so do the fields that each row needs.
	['node-param-options-type-unsorted-items', /None|Booking ID/],
	['node-param-multi-options-type-unsorted-items', /None \(First Seen\)/],
	['node-param-display-name-miscased', /Tristan da Cunha/],
	// Phone Country has no default: the person who knows the sheet chooses.
	['node-param-default-wrong-for-options', /none or AF or/],
	// Nor has Area Unit: an area without a unit is refused, never taken for hectares.
	['node-param-default-wrong-for-options', /one of ac or ha/],
];
for (const path of manifest.n8n.nodes) {
	const unintended = (await findingsIn(path)).filter(
		(finding) =>
			!INTENDED.some(
				([rule, pattern]) =>
					finding.replace(/^.*?\//, '').startsWith(rule) && pattern.test(finding),
			),
	);
	assert.deepEqual(unintended, [], `n8n's linters in the description of ${path}`);
}

// Every built node and credential is announced to n8n.
const built = files.filter((path) => /\.(node|credentials)\.js$/.test(path)).sort();
assert.deepEqual([...manifest.n8n.nodes, ...manifest.n8n.credentials].sort(), built);

// What n8n runs before it verifies a package, over the sources and over what is published.
for (const [scanned, patterns] of [
	[checkout, SOURCE_FILE_PATTERNS],
	[root, ['**/*.js', 'package.json']],
]) {
	const { passed, message, details } = await analyzePackage(scanned, patterns);
	assert(passed, `n8n's scanner: ${message}\n${details}`);
}

// Reviewers and stack traces read the published code.
// The longest lines are patterns of the phone library.
const LONGEST_LINE = 2_000;
for (const path of files.filter((name) => name.endsWith('.js'))) {
	const longest = Math.max(
		...readFileSync(join(root, path), 'utf8')
			.split('\n')
			.map(({ length }) => length),
	);
	assert(longest < LONGEST_LINE, `${path} is minified: it has a line of ${longest} characters`);
}

console.log(
	`${packed.filename}: ${files.length} files, ${packed.size} bytes packed, ${packed.unpackedSize} unpacked.`,
);
console.log(`Nodes and credentials load: ${readdirSync(modules).join(', ')}.`);
