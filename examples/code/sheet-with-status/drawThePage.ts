// Joins each row with its booking: its status, its tractor, and whether it is overdue. Reads only.
import { jsonOf } from '../items';
import { statusPage, type FoundBooking, type SheetRow } from './parts/statusPage';

const page = statusPage(
	jsonOf($('Number the rows').all<SheetRow>()),
	jsonOf($('Rows with a booking').all<SheetRow>()),
	jsonOf($input.all<FoundBooking>()),
	$now.toISODate(),
);

export default [{ json: page }];
