import { once } from 'node:events';
import { createServer } from 'node:http';
import type { AddressInfo } from 'node:net';
import type { IDataObject } from 'n8n-workflow';

import { asText } from '../../nodes/TractorBooking/utils/text';
import { isRecord } from '../../nodes/TractorBooking/utils/record';

/** A service that keeps what it is sent, and writes its records in a way of its own. Knows nothing of the sandbox. */
export interface StoryServer {
	url: string;
	/** The bookings as they were sent, with their `bookingID` and `bookingStatus`; change them as an owner would. */
	bookings: IDataObject[];
	/** How a booking is written in a response. */
	render: (booking: IDataObject) => IDataObject;
	/** The tractors near any farm. */
	nearby: IDataObject[];
	/** `GET` and the path of each read. */
	reads: string[];
	close(): Promise<void>;
}

const FIRST_ID = 7_001;

/** Starts a server without bookings, which writes records as the interface names their fields. */
export async function startStoryServer(): Promise<StoryServer> {
	const story = {
		url: '',
		bookings: [],
		render: asDocumented,
		nearby: [{ TractorID: 201 }],
		reads: [],
		close,
	};
	const server = createServer((request, response) => {
		let text = '';
		request.on('data', (piece) => (text += String(piece)));
		request.on('end', () => {
			const body = answer(story, request.url ?? '', text);
			response.writeHead(body ? 200 : 404, { 'Content-Type': 'application/json' });
			response.end(JSON.stringify(body ?? { detail: 'Not found.' }));
		});
	});
	server.listen(0, '127.0.0.1');
	await once(server, 'listening');
	const { port } = server.address() as AddressInfo;
	story.url = `http://127.0.0.1:${port}`;
	return story;

	async function close(): Promise<void> {
		server.closeAllConnections();
		server.close();
		await once(server, 'close');
	}
}

/** The fields of a booking record that the interface names. */
export function asDocumented(booking: IDataObject): IDataObject {
	const { bookingID, bookingStatus, serviceDate, farmerName, farmerPhone, tractorId } = booking;
	return {
		bookingID,
		bookingStatus,
		tractorPairedTo: tractorId,
		serviceDate,
		farmerName,
		farmerPhone,
	};
}

function answer(story: StoryServer, path: string, text: string): IDataObject | undefined {
	if (text !== '') {
		const request: unknown = JSON.parse(text);
		const bookingID = FIRST_ID + story.bookings.length;
		story.bookings.push({ ...(isRecord(request) ? request : {}), bookingID, bookingStatus: 0 });
		return { bookingID, clusterID: 1 };
	}
	story.reads.push(path);
	const [, page, size] = /\/partner\/booking\/(\d+)\/(\d+)$/.exec(path) ?? [];
	if (size !== undefined) {
		const start = (Number(page) - 1) * Number(size);
		const newestFirst = [...story.bookings].reverse();
		const results = newestFirst.slice(start, start + Number(size)).map(story.render);
		return { count: story.bookings.length, next: null, previous: null, results };
	}
	if (path.includes('/tractor/nearby/')) return { results: story.nearby };
	const [, tractors] = /\/tractor\/([\d,]+)\/detail\/$/.exec(path) ?? [];
	if (tractors !== undefined) return { results: tractors.split(',').map(detailsOf) };
	const id = /\/partner\/booking\/(\d+)$/.exec(path)?.[1];
	const booking = story.bookings.find(({ bookingID }) => asText(bookingID) === id);
	return booking && story.render(booking);
}

/** The details of a tractor: all offer the same. */
function detailsOf(id: string): IDataObject {
	const services = ['Ploughing', 'Ridging'].map((serviceName, index) => ({
		serviceType: index + 3,
		serviceName,
	}));
	return { TractorID: Number(id), TractorServices: services };
}
