import fc from 'fast-check';
import type { ParseResult } from '../../nodes/TractorBooking/parse/issue';

/** The value of a cell that must have been read. */
export function valueOf<T>(cell: ParseResult<T>): T {
	if (!cell.ok) throw new Error(`refused: ${cell.problem}; ${cell.fix}`);
	return cell.value;
}

/** The problem of a cell that must have been refused. */
export function problemOf(cell: ParseResult<unknown>): string {
	if (cell.ok) throw new Error(`read as ${JSON.stringify(cell.value)}`);
	expect(cell.fix).not.toBe('');
	return cell.problem;
}

/** Tests what each cell is read as, or, by a pattern, with what problem it is refused. */
export function testCells<Value>(
	what: string,
	parse: (cell: unknown) => ParseResult<Value>,
	rows: ReadonlyArray<[cell: unknown, wanted: Value | RegExp]>,
): void {
	test.each(rows)(`${what}: %p is %p`, (cell, wanted) => {
		const parsed = parse(cell);
		if (wanted instanceof RegExp) expect(problemOf(parsed)).toMatch(wanted);
		else expect(valueOf(parsed)).toStrictEqual(wanted);
	});
}

/** Rows of a table: cells that have the same problem. */
export function all<Problem>(
	cells: readonly unknown[],
	problem: Problem,
): Array<[cell: unknown, problem: Problem]> {
	return cells.map((cell) => [cell, problem]);
}

/** Any character. That of fast-check, `binary`, takes seconds to begin with. */
const character = fc
	.integer({ min: 0, max: 0x10f7ff })
	.map((at) => String.fromCodePoint(at < 0xd800 ? at : at + 0x800));

/** Whatever can be in a cell, and much that cannot. */
export const anything = () =>
	fc.oneof(
		fc.anything({
			withDate: true,
			withBigInt: true,
			withMap: true,
			withSet: true,
			withNullPrototype: true,
		}),
		fc.string({ unit: character }),
		// Text of characters that parsers look for gets further into them than random text.
		fc.string({ unit: fc.constantFrom(...'0123456789.,-/+() :TZeE°NSha'), maxLength: 24 }),
		fc.constantFrom('__proto__', 'constructor', 'toString', '#N/A', 'NaN', '\u200B'),
		fc.constant({
			toString() {
				throw new Error('no text');
			},
			toISODate() {
				throw new Error('no date');
			},
			toJSON() {
				throw new Error('no JSON');
			},
		}),
	);
