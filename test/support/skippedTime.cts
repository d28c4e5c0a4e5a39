/** By how many milliseconds a suite has put its clocks forward. */
export const skipped = { ms: 0 };

const realNow = Date.now.bind(Date);

/** Milliseconds since 1970, on a clock that can skip time. */
export const skippedNow = () => realNow() + skipped.ms;
