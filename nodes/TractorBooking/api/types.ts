import type { IDataObject } from 'n8n-workflow';

/** One page of a list, whatever its body looked like (interface, "Pagination of list endpoints"). */
export interface Page {
	/** The records of the page, in the order of the answer. */
	items: IDataObject[];
	/** Number of items of the whole list, where the answer tells it. It may be wrong. */
	total?: number;
	/** Whether more pages follow; undefined where the answer does not tell. */
	hasMore?: boolean;
}
