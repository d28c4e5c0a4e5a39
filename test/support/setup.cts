import fc from 'fast-check';

import { VirtualClock } from './virtualClock.cts';

type Timing = typeof import('../../nodes/TractorBooking/resources/booking/create/memory/timing');

// n8n logs every failure of a node, and many runs are meant to fail. n8n-core reads the level when it is
// imported, so it is set before any suite is loaded.
process.env.N8N_LOG_LEVEL ??= 'silent';

// The same cases each time, so that a red run is the change's own doing; FC_SEED=… tries others.
fc.configureGlobal({ seed: Number(process.env.FC_SEED ?? 1) });

// On real time, each suite is one process: what the node remembers cannot be overwritten, and it need not wait until that shows.
jest.mock('../../nodes/TractorBooking/resources/booking/create/memory/timing', () => {
	const actual = jest.requireActual<Timing>(
		'../../nodes/TractorBooking/resources/booking/create/memory/timing',
	);
	return {
		...actual,
		get OVERWRITE_CHECK_MS() {
			return VirtualClock.isRunning ? actual.OVERWRITE_CHECK_MS : 0;
		},
	} satisfies Record<keyof Timing, unknown>;
});
