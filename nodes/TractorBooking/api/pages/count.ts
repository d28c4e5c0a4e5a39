import type { Page } from './envelope';

/** Whether a page says how long the whole list is, as far as it alone can tell. */
export function isCounted({ items, total, hasMore }: Page): boolean {
	return total !== undefined && (hasMore !== true || total > items.length);
}

/**
 * The length of a list as its pages tell it. Some services give the number of records on the page instead: such a
 * count is left out.
 */
export class ListCount {
	/** The lowest count so far: records that are added while the list is read are not missed. */
	total?: number;

	/** Whether the count fell while the list was read, so that records moved to earlier pages. */
	hasShrunk = false;

	/**
	 * Takes in what a page says.
	 *
	 * @param received records that came so far, with this page
	 */
	add(page: Page, received: number): void {
		const { total } = page;
		if (total === undefined || !isCounted(page)) return;
		// An empty page may count nothing, since it has nothing.
		if (page.items.length === 0 && received > 0) return;
		if (total === page.items.length && received > total) {
			this.total = undefined;
			return;
		}
		if (this.total !== undefined && total < this.total) this.hasShrunk = true;
		this.total = Math.min(total, this.total ?? Infinity);
	}
}
