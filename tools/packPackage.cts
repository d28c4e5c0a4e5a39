import { mkdir } from 'node:fs/promises';
import { join } from 'node:path';
import { name } from '../package.json';
import { CommandError, runNpm } from './command.cts';

const checkout = join(__dirname, '..');

/**
 * Builds the package and packs it as it would be published.
 * @param folder that the tarball is written to
 * @returns the tarball's path. @throws CommandError if the build fails.
 */
export async function packPackage(folder: string): Promise<string> {
	await runNpm(['run', 'build'], { cwd: checkout });
	return await pack(checkout, folder);
}

/**
 * Downloads the package as it was last released.
 * @param folder that the tarball is written to
 * @returns the tarball's path; undefined if nothing was released yet. @throws CommandError if npm fails.
 */
export async function downloadReleased(folder: string): Promise<string | undefined> {
	try {
		return await pack(name, folder);
	} catch (error) {
		if (error instanceof CommandError && error.message.includes('E404')) return undefined;
		throw error;
	}
}

/** @param what a folder, or the name of a package */
async function pack(what: string, folder: string): Promise<string> {
	await mkdir(folder, { recursive: true });
	const packed = await runNpm(['pack', what, '--json', '--pack-destination', folder]);
	const [{ filename }] = JSON.parse(packed) as [{ filename: string }];
	return join(folder, filename);
}
