// Each text as a farmer gets it, and the messages of 30 days. Reads only.
import { jsonOf } from '../items';
import { textsPage, type TextedBooking } from './parts/textsPage';

const monthAgo = $now.minus({ days: 30 });
const page = textsPage(
	jsonOf($input.all<TextedBooking>()),
	// A booking whose time cannot be read counts.
	({ createdAt }) => !(DateTime.fromISO(String(createdAt), { zone: 'utc' }) < monthAgo),
);

export default [{ json: page }];
