import { sleep } from 'n8n-workflow';

/** How long one turn of work may keep n8n from everything else, in milliseconds. */
const TURN_MS = 25;

/** Lets n8n do other work, between two parts that each take their time with a large sheet. */
export const nextTurn = async () => await sleep(0);

/** Maps a list in turns, between which n8n does other work: thousands of rows would stop it for seconds. */
export async function inTurns<Item, Result>(
	items: readonly Item[],
	work: (item: Item, index: number) => Result,
): Promise<Result[]> {
	const results: Result[] = [];
	let began = Date.now();
	for (const [index, item] of items.entries()) {
		results.push(work(item, index));
		if (Date.now() - began < TURN_MS) continue;
		await nextTurn();
		began = Date.now();
	}
	return results;
}
