/** By how many milliseconds a suite has put its clocks forward. */
export const skipped = { ms: 0 };
