import type { IDataObject } from 'n8n-workflow';

import { dayFromNow } from '../../../support/bookings.cts';

export const DAY = dayFromNow(30);

/** The answers of one request, as a form or a table has them. */
const ANSWERS = {
	'Farmer Name': 'Amina Bello',
	'Farmer Phone': '+2348031234567',
	'Service Type': 'Ploughing',
	'Service Date': DAY,
	'Land Area': 2.5,
	'Area Unit': 'ha',
	Latitude: 10.5222,
	Longitude: 7.4384,
};

const UUID = '5c8c1a2e-7f3b-4a86-9d0e-2b1f6c7d8e9a';
const VALIDATION = {
	...{ timestamp: 1_795_161_405, uid: 'validation_status_approved', by_whom: 'officer_kd' },
	...{ color: '#5AD698', label: 'Approved' },
};
const POINT = { type: 'Point', coordinates: [7.4384, 10.5222] };
const TIMES = {
	...{ start: '2026-11-20T09:12:03.114+01:00', end: '2026-11-20T09:16:41.908+01:00' },
	...{ today: '2026-11-20', username: 'officer_kd', deviceid: 'ee.kobotoolbox.org:Qk3v' },
};

/**
 * An item as each reader of rows gives it, by the node and what is set in it: those of n8n 2.41.1, whose code was run
 * (KoBoToolbox with Reformat, Google Sheets Trigger) or read. What a service answers is that of its documentation.
 */
export const READERS: Readonly<Record<string, IDataObject>> = {
	// As the API gives it: questions in groups have their path, and a point is one text.
	'KoBoToolbox, Get Many': {
		_id: 481_502_731,
		'formhub/uuid': 'b1f4d7c2a9e84f0f8a0c5d3e6b7a8c9d',
		...TIMES,
		'farmer/farmer_name': 'Amina Bello',
		'farmer/farmer_phone': '08031234567',
		'job/service_type': '3',
		'job/service_date': DAY,
		'job/land_area': '2.5',
		'job/area_unit': 'ha',
		'job/farm_gps': '10.5222 7.4384 640 4.5',
		__version__: 'vKq3vZt8m3Xj9dQw2LrT6n',
		'meta/instanceID': `uuid:${UUID}`,
		_xform_id_string: 'aTractorRequests',
		_uuid: UUID,
		'meta/rootUuid': `uuid:${UUID}`,
		_attachments: [],
		_status: 'submitted_via_web',
		_geolocation: [10.5222, 7.4384],
		_submission_time: '2026-11-20T08:16:45',
		_tags: [],
		_notes: [],
		_validation_status: VALIDATION,
		_submitted_by: 'officer_kd',
	},
	// The same, by `formatSubmission()` of the node: GeoJSON, whose longitude comes first.
	'KoBoToolbox, Get Many with Reformat': {
		id: 481_502_731,
		formhub: { uuid: 'b1f4d7c2a9e84f0f8a0c5d3e6b7a8c9d' },
		...TIMES,
		farmer: { farmer_name: 'Amina Bello', farmer_phone: '08031234567' },
		job: {
			...{ service_type: '3', service_date: DAY, land_area: '2.5', area_unit: 'ha' },
			farm_gps: POINT,
		},
		version: 'vKq3vZt8m3Xj9dQw2LrT6n',
		meta: { instanceID: `uuid:${UUID}`, rootUuid: `uuid:${UUID}` },
		xform_id_string: 'aTractorRequests',
		uuid: UUID,
		attachments: [],
		status: 'submitted_via_web',
		geolocation: POINT,
		submission_time: '2026-11-20T08:16:45',
		tags: [],
		notes: [],
		validation_status: VALIDATION,
		submitted_by: 'officer_kd',
	},
	// Its groups end in a dash.
	'an export of ODK Central': {
		...{ SubmissionDate: '2026-11-25T07:00:00.000Z', start: '2026-11-25T06:50:00.000Z' },
		...{ 'farmer-farmer_name': 'Amina Bello', 'farmer-phone': '+2348031234567' },
		...{ 'farm-gps-Latitude': 10.5222, 'farm-gps-Longitude': 7.4384 },
		...{ 'farm-gps-Altitude': 640, 'farm-gps-Accuracy': 4.5 },
		...{ 'job-service_type': 'Ploughing', 'job-service_date': DAY },
		...{ 'job-farm_size': '2.5 ha', 'meta-instanceID': 'uuid:1', KEY: 'uuid:1' },
		...{ SubmitterID: 12, SubmitterName: 'ada', AttachmentsPresent: 0, AttachmentsExpected: 0 },
		...{ DeviceID: 'collect:x', Edits: 0, FormVersion: '2026', ReviewState: 'approved' },
	},
	'Airtable 2.2, Search': {
		...{ id: 'recA1b2C3d4E5f6G7', createdTime: '2026-11-20T08:16:45.000Z' },
		fields: ANSWERS,
	},
	'Airtable, with its fields beside the ID': {
		...{ id: 'recA1b2C3d4E5f6G7', createdTime: '2026-11-20T08:16:45.000Z' },
		...ANSWERS,
	},
	// A link to another table is a list of choices, a single select one of them.
	'Baserow, Get Many': {
		...{ id: 12, order: '12.00000000000000000000' },
		...ANSWERS,
		'Land Area': '2.50',
		'Area Unit': { id: 3_841, value: 'ha', color: 'light-blue' },
		'Service Type': [{ id: 3, value: 'Ploughing', order: '1.00000000000000000000' }],
	},
	'NocoDB 3, Get Many': {
		...{ Id: 12, CreatedAt: '2026-11-20 08:16:45+00:00', UpdatedAt: null },
		...ANSWERS,
	},
	// The node's version 4 asks NocoDB's API v3.
	'NocoDB 4, Search': { id: 12, fields: ANSWERS },
	'Google Sheets Trigger, Row Added or Updated': {
		...{ row_number: 2, change_type: 'added' },
		...ANSWERS,
	},
	'Form Trigger, with a query': {
		...ANSWERS,
		'Land Area': '2.5',
		submittedAt: '2026-11-20T09:16:45.114+01:00',
		formMode: 'production',
		formQueryParameters: { village: 'Rigasa' },
	},
	// Without Resolve Data, each answer has the number and the name of its question.
	'Jotform Trigger, without Resolve Data': {
		...{ action: '', webhookURL: 'https://n8n.test/webhook/1', username: 'officer_kd' },
		...{ formID: '253240000000000', type: 'WEB', customParams: '', product: '' },
		...{ formTitle: 'Tractor request', customTitle: '', submissionID: '6400000000000000001' },
		...{ event: '', documentID: '', teamID: '', subject: '', isSilent: '', customBody: '' },
		rawRequest: {
			...{ slug: 'submit/253240000000000', jsExecutionTracker: 'build-date' },
			q3_farmerName: { first: 'Amina', last: 'Bello' },
			q4_farmerPhone: { full: '+2348031234567' },
			q5_serviceDate: { day: '01', month: '06', year: '2027' },
			q6_landArea: '2.5',
		},
		...{ fromTable: '', appID: '', pretty: 'Farmer Name:Amina Bello', unread: '' },
		...{ parent: '', ip: '102.89.0.1' },
	},
};
