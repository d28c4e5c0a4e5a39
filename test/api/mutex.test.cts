import { Mutex, WAIT_CANCELLED } from '../../nodes/TractorBooking/api/waits';

/** A task that logs when it begins and ends. */
function task(log: string[], name: string) {
	let end: () => void = () => undefined;
	const ended = new Promise<void>((resolve) => (end = resolve));
	const run = async () => {
		log.push(`${name} begins`);
		await ended;
		log.push(`${name} ends`);
		return name;
	};
	return { run, end };
}

const settled = async () => await new Promise((resolve) => setImmediate(resolve));

it('a task that stops waiting never begins, and later ones still wait for earlier ones', async () => {
	const mutex = new Mutex();
	const log: string[] = [];
	const [first, stopped, later] = ['first', 'stopped', 'later'].map((name) => task(log, name));
	later!.end();
	const stop = new AbortController();
	const running = mutex.runExclusive(first!.run);
	const waiting = mutex.runExclusive(stopped!.run, stop.signal);
	const last = mutex.runExclusive(later!.run);
	stop.abort();
	await expect(waiting).rejects.toBe(WAIT_CANCELLED);
	await settled();
	expect(log).toEqual(['first begins']);
	first!.end();
	await Promise.all([running, last]);
	expect(log).toEqual(['first begins', 'first ends', 'later begins', 'later ends']);
});
