import { median } from 'simple-statistics';

/** The median of each field. */
export function mediansOf<Field extends string>(
	samples: Array<Record<Field, number>>,
): Record<Field, number> {
	const fields = Object.keys(samples[0] ?? {}) as Field[];
	const medians = fields.map((field) => [field, median(samples.map((sample) => sample[field]))]);
	return Object.fromEntries(medians) as Record<Field, number>;
}
