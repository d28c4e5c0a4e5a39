// Takes the answers of the last page, or those kept of a list with the same headings, and says what comes next: to
// `learn` what the sheet leaves open, to `look` at the rows with the answers, to `book` them, or a page that asks again.
import { jsonOf } from '../items';
import type { Drawn, Line, Sent } from './parts/step';
import { takeAnswers, type KeptAnswers } from './parts/takeAnswers';

const nextStep = takeAnswers({
	lines: jsonOf($('Number the rows').all<Line>()),
	kept: jsonOf($('Kept answers').all<KeptAnswers>()),
	workflowId: $workflow.id,
	drawn: $('Draw the page').isExecuted ? $('Draw the page').first<Drawn>().json : undefined,
	sent: $input.first<Sent>().json,
});

export default [{ json: nextStep }];
