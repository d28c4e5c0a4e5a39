import { mkdir } from 'node:fs/promises';
import { join } from 'node:path';
import { runNpm } from './command';

const checkout = join(__dirname, '..');

/**
 * Builds the package and packs it as it would be published.
 * @param folder that the tarball is written to
 * @returns the tarball's path. @throws CommandError if the build fails.
 */
export async function packPackage(folder: string): Promise<string> {
	await mkdir(folder, { recursive: true });
	await runNpm(['run', 'build'], { cwd: checkout });
	const packed = await runNpm(['pack', '--json', '--pack-destination', folder], { cwd: checkout });
	const [{ filename }] = JSON.parse(packed) as [{ filename: string }];
	return join(folder, filename);
}
