import type { OpenRow } from '../row';

/** How many rows each tractor is given on a day of the run. */
export class Workload {
	private readonly rows = new Map<string, number>();

	/** The rows that a tractor has on the day of a row. */
	rowsOf(tractorId: number | undefined, row: OpenRow): number {
		return this.rows.get(keyOf(tractorId, row)) ?? 0;
	}

	/** Whether a tractor has as many rows of the day as the settings of the row allow. */
	isFull(tractorId: number | undefined, row: OpenRow): boolean {
		return this.rowsOf(tractorId, row) >= (row.settings.maximumRows ?? Infinity);
	}

	/** Counts a row that a tractor is given. */
	add(tractorId: number | undefined, row: OpenRow): void {
		this.rows.set(keyOf(tractorId, row), this.rowsOf(tractorId, row) + 1);
	}
}

const keyOf = (tractorId: number | undefined, { request }: OpenRow) =>
	`${request.serviceDate ?? ''} ${tractorId}`;
