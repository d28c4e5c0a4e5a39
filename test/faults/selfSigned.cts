import { readFileSync } from 'node:fs';
import { join } from 'node:path';

const fileOf = (name: string) => join(__dirname, 'selfSigned', `${name}.pem`);

/**
 * Of a certificate for 127.0.0.1 and the hosts of the examples, which is its own authority until 2120. Another host needs
 * a new one: `openssl req -x509 -newkey ec -pkeyopt ec_paramgen_curve:P-256 -nodes -subj /CN=tests`, with all of them in
 * `-addext subjectAltName=…`.
 */
export const CERTIFICATE_FILE = fileOf('certificate');
export const CERTIFICATE = readFileSync(CERTIFICATE_FILE, 'utf8');

/** Protects nothing. */
export const KEY = readFileSync(fileOf('key'), 'utf8');
