import { pickFields, withStatusLabel } from '../../api/status';
import { simplify } from '../../methods/fields';
import { parseSwitch } from '../../parse/choices';
import { unwrap } from '../../parse/issue';
import { getParameter, type Output } from '../operation';

/** What comes out of a booking, as Simplify says. */
export const bookingOutput: Output = {
	fields: [simplify],
	/** @throws InvalidInputError if an expression returned no switch */
	outputOf(context, itemIndex) {
		const simplifies = getParameter(context, 'simplify', itemIndex);
		return unwrap(parseSwitch(simplifies), 'Simplify', simplifies) ? pickFields : withStatusLabel;
	},
};
