/** The words of the node for officers, who cannot change its settings. */
export const forOfficer = (text: string): string =>
	text.replace(
		/,? or set Options > [^,;.]+|,(?: or)? (?:make a number of it|correct the column) with an Edit Fields node[^;.]*|set Date Order, or /g,
		'',
	);

/** The row in which a problem of all rows is said, if this reason refers to it. */
export const rowReferredTo = (reason: string): number | undefined => {
	const [, row] = /^See row (\d+)\b/.exec(reason) ?? [];
	return row === undefined ? undefined : Number(row);
};

export const isNoRequest = (reason: string): boolean =>
	reason.startsWith('the row is not a request');
