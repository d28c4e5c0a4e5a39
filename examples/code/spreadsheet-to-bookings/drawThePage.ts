// Draws what comes next: a page that asks, the preview, or the result with the sheet to keep.
import { asText } from '../../../nodes/TractorBooking/utils/text';
import { jsonOf } from '../items';
import { drawPage } from './parts/drawPage';
import type { Looks } from './parts/outcomeParts';
import type { Line, Outcome, Step } from './parts/step';
import { rowsOf } from './parts/tabs';

const lastStep = $('Take the answers').first<Step>().json;
const nodeGave = lastStep.toCheck ? jsonOf($input.all<Outcome>()) : [];
const nextPage = drawPage({
	step: lastStep,
	given: nodeGave,
	// The rows as they were before they were booked.
	checked:
		lastStep.mode === 'book'
			? jsonOf($('Check, then book').all<Outcome>(0, lastStep.checks - 2))
			: nodeGave,
	sheet: rowsOf(jsonOf($('Number the rows').all<Line>()), lastStep.tab),
	looks: jsonOf($('Name the tabs').all<Looks>()).find(({ tab }) => tab === lastStep.tab),
	number: $runIndex + 1,
	contact: asText($('Upload the list').first().json['Whom to ask']) || 'the owner of this form',
});

export default [{ json: nextPage }];
