import type { Sample } from './measure';
import type { PeerName } from './task';

/** The middle value; the mean of the two middle ones of an even number. */
export function median(values: readonly number[]): number {
	const sorted = [...values].sort((a, b) => a - b);
	const middle = sorted.length / 2;
	const upper = sorted[Math.floor(middle)] ?? NaN;
	return Number.isInteger(middle) ? ((sorted[middle - 1] ?? NaN) + upper) / 2 : upper;
}

/** What several rounds of one peer come to: medians, and the worst of what may not happen. */
export interface Summary extends Omit<Sample, 'error'> {
	peer: PeerName;
	/** Rounds that ended with an error, and the first one's text. */
	failures: number;
	error?: string;
}

/** Medians of a peer's rounds. */
export function summarise(peer: PeerName, samples: readonly Sample[]): Summary {
	const of = (field: Exclude<keyof Sample, 'error'>) => {
		const values = samples.flatMap((sample) => sample[field] ?? []);
		return values.length > 0 ? median(values) : undefined;
	};
	const errors = samples.flatMap(({ error }) => error ?? []);
	return {
		peer,
		seconds: of('seconds') ?? NaN,
		records: of('records') ?? NaN,
		served: of('served') ?? NaN,
		memoryBefore: of('memoryBefore') ?? NaN,
		memoryPeak: of('memoryPeak') ?? NaN,
		heapHeld: of('heapHeld'),
		requests: of('requests') ?? NaN,
		refused: of('refused') ?? NaN,
		connections: of('connections') ?? NaN,
		peakInFlight: of('peakInFlight') ?? NaN,
		booked: of('booked'),
		repeated: of('repeated'),
		failures: errors.length,
		error: errors[0],
	};
}
