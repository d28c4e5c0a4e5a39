import { existsSync, readdirSync, readFileSync } from 'node:fs';
import { dirname, join } from 'node:path';

const NODES = 'nodes/TractorBooking';

/** Folders that paths in CONTRIBUTING.md start from, beside the checkout itself. */
const ROOTS = ['', '/resources', '/resources/booking/create', '/trigger']
	.map((folder) => `${NODES}${folder}`)
	.concat('.');

/** Paths that the text tells to create, with placeholders or example names. */
const EXAMPLES = /[<>*]|countNearby/;

const pages = [
	...['.', 'docs', 'docs/developers'].flatMap((folder) =>
		readdirSync(folder).flatMap((name) => (name.endsWith('.md') ? [join(folder, name)] : [])),
	),
	'examples/README.md',
	'sandbox/README.md',
	'tools/README.md',
	'test/README.md',
];

const codeIn = (page: string) =>
	[...readFileSync(page, 'utf8').matchAll(/`([^`\n]+)`/g)].map(([, code = '']) => code);

it.each(pages)('%s links to files that exist', (page) => {
	const links = [...readFileSync(page, 'utf8').matchAll(/(?:\]\(|src(?:set)?=")([^)#\s"]+)/g)]
		.map(([, target = '']) => target)
		.filter((target) => !/^[a-z]+:/.test(target));
	expect(links.filter((target) => !existsSync(join(dirname(page), target)))).toEqual([]);
});

const anchorsIn = (page: string) =>
	[...readFileSync(page, 'utf8').matchAll(/^#+ (.+)$/gm)].map(([, heading = '']) =>
		heading
			.toLowerCase()
			.replace(/[^\w\s-]/g, '')
			.replaceAll(' ', '-'),
	);

it.each(pages)('%s links to headings that exist', (page) => {
	const links = [...readFileSync(page, 'utf8').matchAll(/\]\(([^)#\s:]*)#([^)\s]+)\)/g)]
		.map(([, path = '', anchor = '']) => ({ to: path ? join(dirname(page), path) : page, anchor }))
		.filter(({ to, anchor }) => !anchorsIn(to).includes(anchor));
	expect(links).toEqual([]);
});

it.each([
	['CONTRIBUTING.md', /^[\w./-]+(?:\.(?:ts|mjs|js|json|md|yml)|\/)$/, 40],
	['docs/developers/review.md', /^(?:\.|[\w-]+\/)[\w./-]*$|^\w+\.(?:json|js|mjs)$/, 10],
])('%s names files and folders that exist', (page, pattern, least) => {
	const paths = codeIn(page).filter((text) => pattern.test(text) && !EXAMPLES.test(text));
	expect(paths.length).toBeGreaterThan(least);
	const missing = paths.filter((path) => !ROOTS.some((root) => existsSync(join(root, path))));
	expect(missing).toEqual([]);
});
