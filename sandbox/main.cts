import { parseArgs } from 'node:util';
import { startSandbox } from './index.cts';
import { ALL_KEYS, KEYS, TOKENS } from './auth.cts';

/** Starts the sandbox on a fixed port and says how to use it. Data are new at each start. */
async function main(): Promise<void> {
	const { values } = parseArgs({ options: { port: { type: 'string', default: '4010' } } });
	const sandbox = await startSandbox({ port: Number(values.port) });

	const width = Math.max(...ALL_KEYS.map(({ secret }) => secret.length));
	const rows = ALL_KEYS.map(
		({ secret, scheme, organisation, scopes }) =>
			`  ${secret.padEnd(width)}  ${scheme.padEnd(7)}  ${organisation}  ${scopes.join(', ') || 'nothing'}`,
	);
	console.log(`
Sandbox of the booking and tractor service: ${sandbox.url}
Page with bookings, sent messages and faults: ${sandbox.url}/
SMS gateway: POST ${sandbox.url}/sms/messages {to, body, reference?}

Keys (scheme, organisation, scopes):
${rows.join('\n')}

n8n credential "Tractor Booking API":      Base URL ${sandbox.url}   API Key ${KEYS.full}
n8n credential "Tractor Booking Bearer API": Base URL ${sandbox.url}   Token   ${TOKENS.full}

Stop with Ctrl-C. Each start begins with new data.
`);

	const stop = () => void sandbox.close().then(() => process.exit(0));
	process.once('SIGINT', stop);
	process.once('SIGTERM', stop);
}

main().catch((error: unknown) => {
	console.error(error instanceof Error ? error.message : error);
	process.exit(1);
});
