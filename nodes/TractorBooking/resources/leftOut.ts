import type { IDataObject } from 'n8n-workflow';

import { ServiceError } from '../api/errors';
import { formatValue } from '../parse/issue';

/** The records that a filter leaves out only because it cannot read the field that it compares. */
export class LeftOut {
	private readonly records: IDataObject[] = [];

	/** Whether the field can be read in any record, be it left out for other reasons. */
	private isReadable = false;

	/**
	 * @param what the records, e.g. `bookings`
	 * @param field name of the field in the interface
	 * @param reads whether the field of a record can be read
	 */
	constructor(
		private readonly what: string,
		private readonly field: string,
		private readonly reads: (record: IDataObject) => boolean,
	) {}

	/** Takes in any record, to see whether the service writes the field in a readable form at all. */
	learn(record: IDataObject): void {
		this.isReadable ||= this.reads(record);
	}

	add(record: IDataObject): void {
		this.records.push(record);
	}

	/**
	 * Warns of what was left out, once all records were filtered.
	 *
	 * @throws ServiceError (`unreadable`) if the field can be read in no record
	 */
	tell(warn: (text: string) => void): void {
		const { records, field, what } = this;
		const [example] = records;
		if (!example) return;
		const shown = `such as ${formatValue(example[field] ?? null)}`;
		if (!this.isReadable) {
			throw new ServiceError(
				'unreadable',
				`The service gives its ${what} without a readable ${field}, ${shown}`,
				{ description: 'The filter cannot be applied. Remove it, and filter after this node.' },
			);
		}
		warn(`${records.length} ${what} are left out, since their ${field} cannot be read, ${shown}.`);
	}
}
