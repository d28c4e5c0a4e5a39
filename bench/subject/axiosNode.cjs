'use strict';
// The skeleton of a node that brings axios along, as many community nodes do.
const axios = require('axios');
const { NodeConnectionTypes } = require('n8n-workflow');

class AxiosNode {
	constructor() {
		this.description = {
			displayName: 'Axios Node',
			name: 'axiosNode',
			group: ['transform'],
			version: 1,
			description: 'Requests by axios',
			defaults: { name: 'Axios Node' },
			inputs: [NodeConnectionTypes.Main],
			outputs: [NodeConnectionTypes.Main],
			properties: [{ displayName: 'URL', name: 'url', type: 'string', default: '' }],
		};
	}

	async execute() {
		const { data } = await axios.get(this.getNodeParameter('url', 0));
		return [this.helpers.returnJsonArray(data)];
	}
}

exports.AxiosNode = AxiosNode;
