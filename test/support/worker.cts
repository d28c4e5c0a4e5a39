import type { IExecuteFunctions, IHttpRequestOptions } from 'n8n-workflow';

import type { Settings } from './action.cts';
import { processedData } from './engine.cts';
import { LateService } from './lateService.cts';
import { virtualClockForTests } from './virtualClock.cts';

const never = async <T,>() => await new Promise<T>(() => undefined);

/**
 * A process of n8n that runs the node: its requests are answered in this process, and it can die at any of them, and at any
 * use of n8n's store. What it has begun by then is done, but it gets no answer, and does nothing more.
 */
export class Worker {
	private static count = 0;

	/** What a process remembers is of one key; the service knows only its organisation. */
	private readonly apiKey = `key-${++Worker.count}-of-one-organisation`;

	/** Each request and each use of the store is two steps: before it has an effect, and before its answer. */
	steps = 0;
	diesAt = Infinity;
	readonly death: Promise<void>;

	private die: () => void = () => undefined;

	constructor(readonly service: Pick<LateService, 'request' | 'url'>) {
		this.death = new Promise((resolve) => (this.die = resolve));
	}

	get settings(): Settings {
		const { apiKey, service } = this;
		const request = async (_type: string, options: IHttpRequestOptions) =>
			await service.request(options);
		const helpers = (own: IExecuteFunctions['helpers']) => ({
			httpRequestWithAuthentication: this.mortal(request),
			checkProcessedAndRecord: this.mortal(own.checkProcessedAndRecord.bind(own)),
			removeProcessed: this.mortal(own.removeProcessed.bind(own)),
		});
		return { apiKey, helpers };
	}

	private mortal<Args extends unknown[], Result>(
		work: (...args: Args) => Promise<Result>,
	): (...args: Args) => Promise<Result> {
		return async (...args) => {
			if (this.isLastStep()) return await never();
			const working = work(...args);
			if (!this.isLastStep()) {
				const result = await working;
				if (!this.isDead) return result;
			}
			working.catch(() => undefined);
			return await never();
		};
	}

	get isDead(): boolean {
		return this.steps >= this.diesAt;
	}

	kill(): void {
		this.diesAt = 0;
		this.die();
	}

	private isLastStep(): boolean {
		this.steps += 1;
		if (this.isDead) this.die();
		return this.isDead;
	}
}

/** Gives a suite a virtual clock. @returns what begins anew: the clock, n8n's memory, a service, and a worker that asks it */
export function lateServiceForTests(): () => { service: LateService; worker: Worker } {
	const clock = virtualClockForTests();
	return () => {
		clock.reset();
		processedData.clear();
		const service = new LateService();
		return { service, worker: new Worker(service) };
	};
}
