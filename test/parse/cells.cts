import fc from 'fast-check';
import type { ParseResult } from '../../nodes/TractorBooking/parse/issue';

export function valueOf<T>(cell: ParseResult<T>): T {
	if (!cell.ok) throw new Error(`refused: ${cell.problem}; ${cell.fix}`);
	return cell.value;
}

/** Judges what a cell was read as, or, by a pattern, its problem and how to fix that. */
export function expectCell<T>(cell: ParseResult<T>, wanted: T | RegExp): void {
	if (!(wanted instanceof RegExp)) expect(valueOf(cell)).toStrictEqual(wanted);
	else if (cell.ok) throw new Error(`read as ${JSON.stringify(cell.value)}`);
	else expect(`${cell.problem}; ${cell.fix}`).toMatch(wanted);
}

/** Tests what each cell is read as, or, by a pattern, with what problem it is refused. */
export function testCells<Value>(
	what: string,
	parse: (cell: unknown) => ParseResult<Value>,
	rows: ReadonlyArray<[cell: unknown, wanted: Value | RegExp]>,
): void {
	test.each(rows)(`${what}: %p is %p`, (cell, wanted) => {
		expectCell(parse(cell), wanted);
	});
}

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
