// `npm run release -- minor`: sets the version, gives CHANGELOG.md its heading, commits and tags. Pushes nothing.
import { execFileSync } from 'node:child_process';
import { readFileSync, writeFileSync } from 'node:fs';
import { fileURLToPath } from 'node:url';

const checkout = fileURLToPath(new URL('..', import.meta.url));
const run = (command, ...args) =>
	execFileSync(command, args, { cwd: checkout, encoding: 'utf8' }).trim();

function must(holds, otherwise) {
	if (holds) return;
	console.error(otherwise);
	process.exit(1);
}

const [version] = process.argv.slice(2);
must(version, 'Say which version: patch, minor, major, or a number such as 0.2.0.');
must(run('git', 'status', '--porcelain') === '', 'Commit your changes first.');
const changelog = fileURLToPath(new URL('../CHANGELOG.md', import.meta.url));
const text = readFileSync(changelog, 'utf8');
const [, news = ''] = /^## Unreleased\n([^]*?)(?=^## |(?![^]))/m.exec(text) ?? [];
must(news.trim(), 'CHANGELOG.md has nothing under "Unreleased".');

// The first release has the version that is there already.
run('npm', 'version', version, '--no-git-tag-version', '--allow-same-version');
const { version: next } = JSON.parse(
	readFileSync(fileURLToPath(new URL('../package.json', import.meta.url)), 'utf8'),
);
const today = new Date().toISOString().slice(0, 10);
const heading = `## Unreleased\n\n## ${next} - ${today}\n`;
writeFileSync(
	changelog,
	text.replace('## Unreleased\n', () => heading),
);
run('git', 'commit', '-qam', `release: ${next}`);
run('git', 'tag', '-a', `v${next}`, '-m', next);
console.log(
	`Look at the last commit. Then run "git push --follow-tags", and publish a GitHub release of the tag v${next}: its workflow publishes on npm.`,
);
