import type { IDataObject } from 'n8n-workflow';

import { asText } from '../../nodes/TractorBooking/utils/text';
import type { HostAnswer } from './internet.cts';

/** A form of KoBoToolbox with its submissions, as its API v2 gives them, without what it adds to the answers. */
export class KoboForm {
	private readonly submissions: IDataObject[] = [];

	constructor(readonly id: string) {}

	/** @param answers by the names of the form's questions. @returns the submission's `_id` */
	submit(answers: IDataObject): number {
		const _id = 1001 + this.submissions.length;
		const _uuid = `5c8c1a2e-0000-4000-8000-00000000${_id}`;
		this.submissions.push({ _id, ...answers, _uuid, _validation_status: {} });
		return _id;
	}

	private find(id: number): IDataObject {
		const found = this.submissions.find(({ _id }) => _id === id);
		if (!found) throw new Error(`There is no submission ${id}.`);
		return found;
	}

	/** An edited submission keeps its `_id`, and gets another `_uuid`. */
	correct(id: number, answers: IDataObject): void {
		Object.assign(this.find(id), { ...answers, _uuid: `edited-${id}` });
	}

	validate(id: number, status: string): void {
		const uid = `validation_status_${status}`;
		this.find(id)._validation_status = { timestamp: 1_795_000_000, uid, by_whom: 'officer' };
	}

	/** Of its validation; undefined if nobody looked at it. */
	readonly statusOf = (id: number): unknown =>
		(this.find(id)._validation_status as IDataObject).uid;

	readonly answer: HostAnswer = ({ method, path, body }) => {
		const url = new URL(path.replace(/^\/+/, '/'), 'https://kf.kobotoolbox.org');
		const [, id] = /\/data\/(\d+)\/validation_status\/$/.exec(url.pathname) ?? [];
		if (method === 'PATCH' && id) {
			const { 'validation_status.uid': uid } = body as IDataObject;
			this.validate(Number(id), asText(uid).replace('validation_status_', ''));
			return { body: this.find(Number(id))._validation_status };
		}
		if (url.pathname !== `/api/v2/assets/${this.id}/data/`) return { status: 404, body: {} };
		const wanted = JSON.parse(url.searchParams.get('query') ?? '{}') as IDataObject;
		const uid = wanted['_validation_status.uid'];
		const results = this.submissions.filter(({ _id }) => this.statusOf(Number(_id)) === uid);
		return { body: { count: results.length, next: null, previous: null, results } };
	};
}
