import type { OpenRow } from '../row';

/** How many rows each tractor is given on a day of the run. */
export class Workload {
	private readonly rows = new Map<string, number>();

	/** The rows that a tractor has on the day of a row. */
	rowsOf(tractorId: string, row: OpenRow): number {
		return this.rows.get(keyOf(tractorId, row)) ?? 0;
	}

	/** Whether a tractor has as many rows of the day as the settings of the row allow. */
	isFull(tractorId: string, row: OpenRow): boolean {
		return this.rowsOf(tractorId, row) >= (row.settings.maximumRows ?? Infinity);
	}

	/** Counts a row that a tractor is given. */
	add(tractorId: string, row: OpenRow): void {
		this.rows.set(keyOf(tractorId, row), this.rowsOf(tractorId, row) + 1);
	}
}

const keyOf = (tractorId: string, { request }: OpenRow) =>
	`${request.serviceDate ?? ''} ${tractorId}`;
