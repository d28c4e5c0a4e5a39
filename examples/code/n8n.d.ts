import type { DateTime as Time } from 'luxon';
import type { IBinaryKeyData, IDataObject } from 'n8n-workflow';

/** What n8n gives the code of a Code node. The type of `json` is what the other node is known to give. */
declare global {
	interface CodeItem<T> {
		json: T;
		binary?: IBinaryKeyData;
	}

	interface CodeItems {
		all<T = IDataObject>(output?: number, run?: number): Array<CodeItem<T>>;
		first<T = IDataObject>(): CodeItem<T>;
	}

	const $input: CodeItems;
	/** n8n hands over only the nodes whose names it finds in the code: write each as text, and call its method at once. */
	const $: (node: string) => CodeItems & { isExecuted: boolean };
	const $now: Time<true>;
	const $runIndex: number;
	const $workflow: { id: string };
	const DateTime: typeof Time;
	const helpers: { getBinaryDataBuffer(item: number, property: string): Promise<Buffer> };
}
