import { CHUNK } from '../../../../nodes/TractorBooking/resources/booking/create/memory/timing';
import { testRounds } from './interleavings.cts';

// A file of its own: it takes as long as all others, on a processor of its own.
testRounds([['two workers, with several chunks', { rows: 2 * CHUNK + 3 }, 2, false, 2, 0]]);
