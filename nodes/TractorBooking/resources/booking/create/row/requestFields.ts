import type { ColumnField } from './fields';

/** A row in which all of these are empty is not a request: totals, a note below the table, a heading in between. */
export const REQUEST_FIELDS: readonly ColumnField[] = [
	...(['farmerPhone', 'serviceType', 'serviceDate', 'bookingID'] as const),
	...(['tractorId', 'latitude', 'coordinates'] as const),
];
