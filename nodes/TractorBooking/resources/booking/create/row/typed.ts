import { asText, fold } from '../../../../utils/text';
import { JOB_FIELDS } from './job';
import type { Row } from './row';

/** All that was typed in a row, by field or column: not a tractor that the node chose. */
function allCellsOf({ request, serviceName, wantsNearest, plot, unreadCells }: Row) {
	const { serviceType, tractorId } = request;
	const chosen = wantsNearest ? '' : tractorId;
	const typed = { ...request, serviceType: serviceName ?? serviceType, tractorId: chosen, plot };
	const cells = Object.entries(typed).map(([field, value]) => [field, asText(value)] as const);
	return new Map([...unreadCells(), ...cells].filter(([, text]) => text !== ''));
}

/** The cells in which two rows differ, by field, or by column if it is not read. */
export function differencesOf(row: Row, other: Row) {
	const allOf = (one: Row) => new Map([['Row ID', one.rowId ?? ''], ...allCellsOf(one)]);
	const [own, theirs] = [allOf(row), allOf(other)];
	return [...new Map([...theirs, ...own]).keys()]
		.map((field) => ({ field, own: own.get(field) ?? '', theirs: theirs.get(field) ?? '' }))
		.filter((cells) => fold(cells.own) !== fold(cells.theirs));
}

/** What is in a row beside its job, in one text. */
export function otherCellsText(row: Row): string {
	const cells = allCellsOf(row);
	// Of the phone, the key has only the last digits.
	const inKey = JOB_FIELDS.filter((field) => field !== 'farmerPhone');
	for (const field of [...inKey, 'areaType']) cells.delete(field);
	return fold([...cells].sort().join('\n'));
}
