import { existsSync } from 'node:fs';
import Module from 'node:module';
import { dirname, resolve } from 'node:path';

/**
 * For processes outside Jest: `./X.node` means `X.node.ts`, as TypeScript and Jest have it, although there
 * is an `X.node.json` beside it, which tsx would take. To be required after `tsx/cjs`.
 */
interface Resolver {
	_resolveFilename(request: string, parent?: { filename?: string }, ...rest: unknown[]): string;
}

const resolver = Module as unknown as Resolver;
const resolveFilename = resolver._resolveFilename.bind(resolver);

resolver._resolveFilename = (request, parent, ...rest) => {
	const source = resolve(dirname(parent?.filename ?? ''), `${request}.ts`);
	return request.startsWith('.') && request.endsWith('.node') && existsSync(source)
		? source
		: resolveFilename(request, parent, ...rest);
};
