/** Whether loads have their full size, as in `npm run test:long`. */
const IS_FULL = process.env.LOADS === 'full';

/** A load of full size, or a smaller one: a tenth unless another is given. */
export function load(full: number, small = full / 10): number {
	return IS_FULL ? full : small;
}
