import type { IDataObject } from 'n8n-workflow';

import type { ServiceErrorKind } from '../api/errors';
import { ServiceError } from '../api/errors';
import { openList } from '../api/pages/fetch';
import { exactKeyOf } from './bookings';
import type { Reader } from './scan/reader';
import type { State } from './state';

/** Known bookings that are asked for, since single ones may be archived, or fail. */
const MAX_ASKED = 3;

/**
 * Whether a new key is of the organisation whose bookings are known: the list shows one of them, or the service gives
 * one of the newest by its ID.
 *
 * @throws ServiceError if none of them can be read, and none is refused
 */
export async function isSameOrganisation(
	reader: Reader,
	{ memory, progress }: Pick<State, 'memory' | 'progress'>,
	pageSize: number,
): Promise<boolean> {
	const { result } = await openList(reader.listWith({ size: progress.maxSize }), pageSize);
	const isListed = 'page' in result;
	const isKnown = (booking: IDataObject) => memory.get(exactKeyOf(booking) ?? '') !== undefined;
	if (isListed && result.page.records.some(isKnown)) return true;
	// A key that may read bookings is refused those of others with 404, or by some services with 401 or 403.
	const refusals: ServiceErrorKind[] = isListed ? ['notFound', 'notAllowed'] : ['notFound'];
	const failures: ServiceError[] = [];
	for (const key of memory.newest(MAX_ASKED)) {
		const booking = await reader.booking(key);
		if (!(booking instanceof ServiceError)) return true;
		failures.push(booking);
	}
	const [failure] = failures;
	if (failure && !failures.some(({ kind }) => refusals.includes(kind))) throw failure;
	return false;
}
