/** A message that people may see, and what docs/errors.md says of it. */
export interface KnownMessage {
	/** Its kind in the table of the matrix, four letters at most. */
	code: string;
	/** Its words; `…` is any text. */
	see: string;
	means: string;
	/** What to do about it. */
	advice: string;
}

const CHECK_URL = 'Compare the base URL in the credential with the one in the partner dashboard.';
const LATER = 'Try again later; if it persists, tell the operator of the service.';

/** Every message that the service's faults can lead to; the first that fits a message is meant. */
export const MESSAGES: readonly KnownMessage[] = [
	{
		code: 'conn',
		see: 'Could not connect to … to …',
		means:
			'No connection was made: the name is unknown, or nothing listens there. Nothing was sent.',
		advice: `${CHECK_URL} Check the network of the machine that runs n8n.`,
	},
	{
		code: 'tls',
		see: 'Could not connect securely to … to …',
		means: 'The server was reached, but no encrypted connection came about. Nothing was sent.',
		advice: `${CHECK_URL} If it is right, the certificate of the service may have expired: tell its operator.`,
	},
	{
		code: 'lost',
		see: 'The connection to … broke off while trying to …',
		means: 'The request may have arrived, but no whole response came back.',
		advice: 'Check the network, then run again.',
	},
	{
		code: 'time',
		see: '… did not answer in time when asked to …',
		means: 'No whole response came within the timeout.',
		advice:
			'Try again later, or raise Timeout under Options. If it never worked, check the base URL.',
	},
	{
		code: 'away',
		see: 'The address redirects elsewhere when asked to …',
		means:
			'The service says that it is at another address. The key is never sent there, and a booking is not sent on.',
		advice:
			'If the address in the description is that of the service, enter it as the base URL of the credential. If it redirects in a circle, tell the operator of the service.',
	},
	{
		code: 'text',
		see: 'The response was not JSON when asked to …',
		means:
			'A web page or something else came instead of data, or not all of it: often the website of the service, or a sign-in page of a network.',
		advice: `${CHECK_URL} If it is right, try again later.`,
	},
	{
		code: 'deep',
		see: 'The response is nested too deeply when asked to …',
		means: 'The data is of a shape that no answer of the service has.',
		advice: `${CHECK_URL} If it is right, tell the operator of the service.`,
	},
	{
		code: 'big',
		see: 'The response was larger than … when asked to …',
		means: 'The data is many times as large as a page of any usual size, and was not read on.',
		advice: 'Lower Limit, or Page Size under Options.',
	},
	{
		code: 'list',
		see: 'The service answered with something that is not a list of …',
		means: 'The response is JSON, but holds no list of records, or an error beside an empty one.',
		advice: `${CHECK_URL} If it is right, or the description quotes an error of the service, tell the operator of the service.`,
	},
	{
		code: 'rec',
		see: 'The service answered with something that is not a …',
		means: 'The response is JSON, but not the record that was asked for.',
		advice: `${CHECK_URL} If it is right, tell the operator of the service.`,
	},
	{
		code: 'else',
		see: 'The service sent … when asked to read …',
		means: 'The record that came is another one than was asked for, by its identifier.',
		advice: LATER,
	},
	{
		code: 'val',
		see: 'The service refused to …',
		means:
			'The service found something wrong with what was sent (status 400), or refused with a status that its interface does not describe.',
		advice:
			'Correct the values that the description names, then run the item again. If it gives no reason, check the base URL, then ask the operator of the service.',
	},
	{
		code: 'auth',
		see: 'The service did not allow this credential to …',
		means: 'The key or token is wrong, or lacks the scope for this endpoint (status 401 or 403).',
		advice:
			'Check it in the partner dashboard, then test the credential in n8n: the test says what the key may do.',
	},
	{
		code: '404',
		see: 'Nothing was found when asked to …',
		means: 'The service has nothing to list, or the base URL is wrong (status 404).',
		advice: CHECK_URL,
	},
	{
		code: '404',
		see: 'The service does not know the tractor or the service of the booking (status 404)',
		means: 'Something that the booking names is not there; most likely the tractor (status 404).',
		advice:
			'Check the tractor and the service type. If every row fails, check the base URL in the credential.',
	},
	{
		code: '404',
		see: 'Nothing was found near …',
		means:
			'The service knows no tractor near the coordinate, or the base URL is wrong (status 404).',
		advice: 'Check latitude and longitude, then the base URL in the credential.',
	},
	{
		code: '404',
		see: 'Booking … is unknown, or belongs to another organisation',
		means: 'The service knows no such booking of the organisation of the key (status 404).',
		advice: 'Check the Booking ID, and whether the key is that of the organisation.',
	},
	{
		code: '404',
		see: 'Tractor … is not in the catalogue',
		means: 'The service knows no such tractor (status 404).',
		advice: 'Choose the tractor from the list of the field.',
	},
	{
		code: '404',
		see: 'No details came for tractor …',
		means: 'The service answered, but had nothing about this tractor.',
		advice: 'Check the tractor ID, e.g. with Tractor > Find Nearby.',
	},
	{
		code: 'rate',
		see: 'The rate limit was reached while trying to …',
		means:
			'The service took no more requests (status 429), and waiting did not help, or would have taken longer than a quarter of an hour. Nothing was done.',
		advice: 'Run again later. Requests per Minute under Options keeps below a limit.',
	},
	{
		code: '5xx',
		see: 'The service returned an error (status …) when asked to …',
		means: 'The service, or a gateway in front of it, failed.',
		advice: LATER,
	},
	{
		code: 'end',
		see: 'The list of … cannot be read to its end: …',
		means:
			'The service gave fewer records than it counts, or the same page again. Nothing is returned, so that no record is missing unnoticed.',
		advice:
			'Turn off Return All and set a Limit to work with the first records, and tell the operator of the service.',
	},
	{
		code: '?',
		see: 'It is unknown whether this row was booked: …',
		means:
			'No response tells whether the row was booked, and the list of bookings does not show it. The row was sent once, and is not sent again for 15 to 20 minutes.',
		advice:
			'Run the rows again after 20 minutes with If Already Booked set to Skip: then the list decides. Or look the booking up with Booking > Get Many first.',
	},
	{
		code: 'left',
		see: 'Not sent, because …',
		means: 'An earlier row failed in a way in which this one would have failed, too.',
		advice: 'Fix what the message names, then run the rows again: those booked are recognised.',
	},
	{
		code: 'rows',
		see: '… of … rows have errors. Nothing was booked.',
		means: 'The description lists what is wrong with which row.',
		advice:
			'Correct the rows, except those that it says not to change, and run again, or set On Error to Continue to book the others.',
	},
	{
		code: 'old',
		see: 'The service returns its bookings without a readable …',
		means: 'Rows that are booked already cannot be recognised, so nothing was sent.',
		advice:
			'Choose other Match Fields under Options, or run only rows that are not booked yet, with If Already Booked set to Create Anyway.',
	},
	{
		code: 'row',
		see: 'Latitude and Longitude…',
		means: 'No tractor near the farm can be chosen for the row; the description says why.',
		advice: 'Do what the description says, or set Choose Tractor to Specific Tractor.',
	},
	{
		code: 'row',
		see: 'Service Type cannot be listed: …',
		means: 'The details of the tractors name no services with a number.',
		advice:
			'Choose By Number or Name, and ask the operator of the service for the number of the service.',
	},
	{
		code: 'none',
		see: 'No booking matches this trigger',
		means: 'Fetch Test Event found no booking to show. A published workflow is not affected.',
		advice: 'Create a booking, or widen the filters of the trigger, then fetch again.',
	},
	{
		code: 'auth',
		see: 'The service refused the … when asked to ….',
		means:
			'The test of the credential was refused by each endpoint, or by some while others sent no data.',
		advice: 'Compare the key or token, its scopes, and the base URL with the partner dashboard.',
	},
	{
		code: 'url',
		see: 'The server at this URL responds, but not as the booking service (…). …',
		means: 'The test of the credential reached a server, which is probably another one.',
		advice: CHECK_URL,
	},
];

/** The message that a text is, whichever column it names; credential tests append the description to it. */
export function knownMessage(said: string): KnownMessage | undefined {
	const text = said.replace(/^Row \d+: /, '').replace(/^([\w ]+) \(column ".*?"\)/, '$1');
	return MESSAGES.find(({ see }) => {
		const words = see.split('…').map((part) => part.replace(/[()[\]{}.*+?^$|\\]/g, '\\$&'));
		return new RegExp(`^${words.join('.+')}(?:$|[.;: ])`, 's').test(text);
	});
}
