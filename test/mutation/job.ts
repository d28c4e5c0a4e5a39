/** One suite, to be run with one mutant switched on, or with none. */
export interface Job {
	mutant?: string;
	/** Absolute path. */
	suite: string;
	/** How long one test may take. */
	timeoutMs: number;
}

/** What came of a job. */
export interface Verdict {
	/** The first failure of a test. */
	failure?: string;
	/** How long the suite took, in milliseconds. */
	ms: number;
	/** Mutants that the suite ran past. */
	covered: string[];
}
