import { writeFileSync } from 'node:fs';
import type { CountryCode } from 'libphonenumber-js/max';
import { getExampleNumber, parsePhoneNumberFromString } from 'libphonenumber-js/max';
import examples from 'libphonenumber-js/mobile/examples';
import { PHONE_COUNTRIES } from '../nodes/TractorBooking/parse/phoneCountries';
import { parseFarmerPhone, parsePhone, smsDoubt } from '../nodes/TractorBooking/parse/phones';
import { Random } from '../sandbox/random';

const PAGE = 'docs/developers/phones.md';
const SEED = 1;
const NUMBERS_PER_COUNTRY = 100;

/** The countries whose calling code begins so are those of Africa, and some islands. */
const AFRICA = /^2[0-7]/;

const random = new Random(SEED);
const below = (limit: number) => random.integer(limit);
const digit = () => String(below(10));

/** Mobile numbers that the library knows, of any prefix, as they are dialled inside the country. */
function numbersOf(code: CountryCode): string[] {
	const example = getExampleNumber(code, examples);
	if (!example) return [];
	const numbers: string[] = [];
	for (let tries = 0; tries < 20_000 && numbers.length < NUMBERS_PER_COUNTRY; tries++) {
		const start = below(4);
		const national = example.nationalNumber.replace(/\d/g, (known, at: number) =>
			at < start ? known : digit(),
		);
		const phone = parsePhoneNumberFromString(`+${example.countryCallingCode}${national}`);
		const isMobile = phone?.country === code && /MOBILE/.test(phone.getType() ?? '');
		if (isMobile) numbers.push(phone.formatNational().replace(/\D/g, ''));
	}
	return numbers;
}

const NONE = 'a right mobile number';

/** What happens to numbers while they are typed. */
const MISTAKES: Record<string, (number: string, at: number) => string> = {
	[NONE]: (number) => number,
	'one digit is missing': (number, at) => number.slice(0, at) + number.slice(at + 1),
	'one digit too many': (number, at) => number.slice(0, at) + digit() + number.slice(at),
	'one digit is wrong': (number, at) =>
		`${number.slice(0, at)}${(Number(number[at]) + 1 + below(9)) % 10}${number.slice(at + 1)}`,
	'two digits are exchanged': (number, at) =>
		`${number.slice(0, at)}${number.charAt(at + 1)}${number.charAt(at)}${number.slice(at + 2)}`,
};

type Outcome = 'refused' | 'named' | 'passes';

function outcomeOf(number: string, code: CountryCode): Outcome {
	const phone = parseFarmerPhone(number, code);
	if (!phone.ok) return 'refused';
	return smsDoubt(phone.value) ? 'named' : 'passes';
}

const numbers = PHONE_COUNTRIES.map((country) => ({ country, numbers: numbersOf(country.code) }));

function rowOf(region: string, regions: typeof numbers, mistake: string): string {
	const counts: Record<Outcome, number> = { refused: 0, named: 0, passes: 0 };
	let all = 0;
	for (const { country, numbers: some } of regions)
		for (const number of some) {
			const typed = MISTAKES[mistake]?.(number, below(number.length - 1)) ?? '';
			const right = parsePhone(number, country.code);
			const read = parsePhone(typed, country.code);
			// Equal digits were exchanged, or a zero was lost that may be left out.
			const isRight = right.ok && read.ok && read.value === right.value;
			if (isRight && mistake !== NONE) continue;
			counts[outcomeOf(typed, country.code)]++;
			all++;
		}
	const share = (outcome: Outcome) => `${((100 * counts[outcome]) / all).toFixed(1)} %`;
	return `| ${region} | ${mistake} | ${share('refused')} | ${share('named')} | ${share('passes')} |`;
}

const africa = numbers.filter(({ country }) => AFRICA.test(country.callingCode));
const total = numbers.reduce((sum, { numbers: some }) => sum + some.length, 0);
const rows = Object.keys(MISTAKES).flatMap((mistake) => [
	rowOf(`Africa (${africa.length})`, africa, mistake),
	rowOf(`all (${numbers.length})`, numbers, mistake),
]);

writeFileSync(
	PAGE,
	`# Phones

<!-- \`npx tsx tools/phoneFigures.ts\` writes this page. -->

Phones are read with libphonenumber-js, which has the numbering plans of ${numbers.length} countries and territories. A number is refused if the library does not know it and no mobile number of its country has as many digits. A number that is not a known mobile number is sent, and the run names its row: it may be a landline, or the plan may be newer than the library.

What becomes of ${total.toLocaleString('en')} mobile numbers, typed in local form with their Phone Country, each with one mistake:

| countries | what is typed | refused | sent, and its row named | passes |
| --- | --- | --- | --- | --- |
${rows.join('\n')}

A wrong digit seldom shows: most numbers of a numbering plan are in use. Nothing but a look at the preview, or a test message, finds these.
`,
);
