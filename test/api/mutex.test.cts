import { Mutex, WAIT_CANCELLED } from '../../nodes/TractorBooking/api/waits';

it('a task that stops waiting never begins, and later ones still wait for earlier ones', async () => {
	const mutex = new Mutex();
	const log: string[] = [];
	let end: () => void = () => undefined;
	const ended = new Promise<void>((resolve) => (end = resolve));
	const task =
		(name: string, work = Promise.resolve()) =>
		async () => {
			log.push(`${name} begins`);
			await work;
			log.push(`${name} ends`);
		};
	const stop = new AbortController();
	const running = mutex.runExclusive(task('first', ended));
	const waiting = mutex.runExclusive(task('stopped'), stop.signal);
	const last = mutex.runExclusive(task('later'));
	stop.abort();
	await expect(waiting).rejects.toBe(WAIT_CANCELLED);
	await new Promise((resolve) => setImmediate(resolve));
	expect(log).toEqual(['first begins']);
	end();
	await Promise.all([running, last]);
	expect(log).toEqual(['first begins', 'first ends', 'later begins', 'later ends']);
});
