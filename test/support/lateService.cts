import {
	createServer,
	type IncomingMessage,
	type OutgoingHttpHeaders,
	type ServerResponse,
} from 'node:http';
import type { IDataObject, IHttpRequestOptions, IN8nHttpFullResponse } from 'n8n-workflow';

import { asText } from '../../nodes/TractorBooking/utils/text';
import { countBy } from '../../tools/tally.cts';
import { listen } from './listen.cts';

/** What becomes of requests to book: whether one is made, and the status; without one, the connection closes. */
const FATES = {
	booked: { isMade: true, status: 200 },
	lost: { isMade: true, status: undefined },
	dropped: { isMade: false, status: undefined },
	'500': { isMade: false, status: 500 },
	'409': { isMade: true, status: 409 },
	/** The first booking is answered. */
	merged: { isMade: false, status: 200 },
	refused: { isMade: false, status: 400 },
};

export type Fate = keyof typeof FATES;

type Answer = IN8nHttpFullResponse & { body: string };

interface Kept extends IDataObject {
	bookingID: number;
	madeAt: number;
}

const PAGE = /\/partner\/booking\/(\d+)\/(\d+)$/;

/** Shows new bookings late, as a list does that is an index or a copy. It shares nothing with the sandbox. */
export class LateService {
	/** The bookings as they were sent, oldest first. */
	bookings: Kept[] = [];
	listedAfterMs = 0;
	knowsIds = true;
	order: 'newest' | 'oldest' = 'newest';

	/** Whether a page is an array alone, and the one after the last is empty. */
	isBare = false;
	page = pageOf;

	render: (booking: IDataObject) => IDataObject = asDocumented;

	reads: string[] = [];
	beforePage = async () => await Promise.resolve();

	/** Decides about each request to book. */
	fate: (request: IDataObject, count: number) => Fate | Promise<Fate> = () => 'booked';

	/** Runs between a booking and the response to its request. */
	beforeResponse: (request: IDataObject) => Promise<void> = async () => await Promise.resolve();

	counts = { create: 0 };

	/** Base URL, and what ends the service; both are set when it starts. Until then it is in this process alone. */
	url = 'https://late.test';
	close = async () => await Promise.resolve();

	constructor(public nextId = 5_001) {}

	static async start(): Promise<LateService> {
		const service = new LateService();
		const server = createServer((request, response) => void service.serve(request, response));
		return Object.assign(service, await listen(server));
	}

	add(request: IDataObject, madeAt = Date.now()): Kept {
		const bookingID = this.nextId++;
		const kept = { ...request, bookingStatus: 0, bookingID, madeAt };
		this.bookings.push(kept);
		return kept;
	}

	get timesBooked(): Record<string, number> {
		const keyOf = ({ farmerPhone, serviceDate }: Kept) =>
			`${asText(farmerPhone)} ${asText(serviceDate)}`;
		return Object.fromEntries(countBy(this.bookings, keyOf));
	}

	private async serve(request: IncomingMessage, response: ServerResponse): Promise<void> {
		let text = '';
		for await (const piece of request) text += String(piece);
		const answer = await this.answerTo(request.url ?? '', request.method === 'POST' ? text : '');
		if (!answer) return void request.socket.destroy();
		response.writeHead(answer.statusCode, answer.headers as OutgoingHttpHeaders);
		response.end(answer.body);
	}

	/** Answers in this process: thousands of runs are too slow over sockets. @throws Error as n8n's helper, if it closes */
	readonly request = async ({ url, body }: IHttpRequestOptions): Promise<IN8nHttpFullResponse> => {
		const answer = await this.answerTo(url.slice(this.url.length), asText(body));
		if (!answer) throw Object.assign(new Error('socket hang up'), { code: 'ECONNRESET' });
		return answer;
	};

	/** @param text the body of a request to book, else empty @returns undefined if the connection closes */
	private async answerTo(path: string, text: string): Promise<Answer | undefined> {
		const say = (statusCode: number, body: unknown): Answer => {
			const headers = { 'content-type': 'application/json' };
			return { statusCode, headers, body: JSON.stringify(body) };
		};
		if (text) {
			this.counts.create += 1;
			const sent = JSON.parse(text) as IDataObject;
			const { isMade, status } = FATES[await this.fate(sent, this.counts.create)];
			const booking = isMade ? this.add(sent) : this.bookings[0];
			await this.beforeResponse(sent);
			if (status === undefined) return undefined;
			if (status === 200) return say(200, { bookingID: booking?.bookingID, clusterID: 1 });
			return say(status, { error: 'it is odd' });
		}
		this.reads.push(path);
		if (PAGE.test(path)) await this.beforePage();
		const body = this.read(path);
		return body === undefined ? say(404, { detail: 'Not found.' }) : say(200, body);
	}

	/** What a read is answered by; undefined if there is no such record. */
	protected read(path: string): unknown {
		if (path.includes('/tractor/nearby/')) return { results: [{ TractorID: 201 }] };
		const [, tractors] = /\/tractor\/([\d,]+)\/detail\/$/.exec(path) ?? [];
		if (tractors !== undefined) return { results: tractors.split(',').map(detailsOf) };
		const [, page, size] = PAGE.exec(path) ?? [];
		if (size !== undefined) return this.list(Number(page), Number(size));
		const id = Number(/\/partner\/booking\/(\d+)$/.exec(path)?.[1]);
		const booking = this.bookings.find(({ bookingID }) => bookingID === id);
		return booking && this.knowsIds ? this.render(booking) : undefined;
	}

	private list(number: number, wished: number): IDataObject | IDataObject[] {
		const latest = Date.now() - this.listedAfterMs;
		const shown = this.bookings.filter(({ madeAt }) => madeAt <= latest);
		if (this.order === 'newest') shown.reverse();
		const page = this.page(shown.map(this.render), number, Math.min(wished, 100));
		return this.isBare ? page.results : page;
	}
}

export function pageOf(records: IDataObject[], number: number, size: number) {
	const end = number * size;
	return {
		count: records.length,
		next: end < records.length ? `?page=${number + 1}` : null,
		previous: number > 1 ? `?page=${number - 1}` : null,
		results: records.slice(end - size, end),
	};
}

/** The fields of a booking record that the interface names. */
export function asDocumented(booking: IDataObject): IDataObject {
	const { bookingID, bookingStatus, tractorId, serviceDate, farmerName, farmerPhone } = booking;
	const tractorPairedTo = tractorId;
	return { bookingID, bookingStatus, tractorPairedTo, serviceDate, farmerName, farmerPhone };
}

function detailsOf(id: string): IDataObject {
	const services = ['Ploughing', 'Ridging'].map((serviceName, index) => ({
		serviceType: index + 3,
		serviceName,
	}));
	return { TractorID: Number(id), TractorServices: services };
}
