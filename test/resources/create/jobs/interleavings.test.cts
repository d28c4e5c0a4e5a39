import { testRounds } from './interleavings.cts';

/** Of how many rounds some may have rows twice where more than two runs meet. */
const FEW = 1 / 50;

// A slow worker may erase what a run that has ended recorded; then a third one that starts while the list is late books it.
testRounds([
	['two workers', {}, 2, false, 10, 0],
	['two workers and a third run', {}, 3, false, 5, FEW],
	['a third run and a Dry Run', {}, 4, true, 5, FEW],
	['two workers, with answers in a third of the rows', { hasAnswers: true }, 2, false, 5, 0],
	['a third run and a Dry Run, with these', { hasAnswers: true }, 4, true, 5, FEW],
]);
