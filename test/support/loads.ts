/** Whether loads have their full size, as in `npm run test:long`; a tenth of it otherwise. */
const IS_FULL = process.env.LOADS === 'full';

/** A load of full size, or a tenth of it. */
export function load(full: number): number {
	return IS_FULL ? full : full / 10;
}
