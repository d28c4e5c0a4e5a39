import type { BookingKey } from '../../../../api/identifiers';
import type { OpenRow } from '../row';

/** How many rows of the sheet each tractor has on a day. */
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

	/** Counts a row that a tractor has. */
	add(tractorId: BookingKey | undefined, { request }: Pick<OpenRow, 'request'>): void {
		const key = keyOf(tractorId, { request });
		this.rows.set(key, (this.rows.get(key) ?? 0) + 1);
	}
}

const keyOf = (tractorId: BookingKey | undefined, { request }: Pick<OpenRow, 'request'>) =>
	`${request.serviceDate ?? ''} ${tractorId}`;
