/** A load of full size, as in `npm run test:long`, or a smaller one: a tenth unless another is given. */
export function load(full: number, small = full / 10): number {
	return process.env.LOADS === 'full' ? full : small;
}
