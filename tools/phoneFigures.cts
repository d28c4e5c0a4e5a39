import type { CountryCode } from 'libphonenumber-js/max';
import { getExampleNumber, parsePhoneNumberFromString } from 'libphonenumber-js/max';
import examples from 'libphonenumber-js/mobile/examples';
import { PHONE_COUNTRIES } from '../nodes/TractorBooking/parse/phoneCountryList';
import { parseFarmerPhone, smsDoubt } from '../nodes/TractorBooking/parse/phones';
import { Random } from '../sandbox/random.cts';

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

/** What happens to numbers while they are typed. */
const MISTAKES: Record<string, (number: string, at: number) => string> = {
	'as it is': (number) => number,
	'one digit is missing': (number, at) => number.slice(0, at) + number.slice(at + 1),
	'one digit too many': (number, at) => number.slice(0, at) + digit() + number.slice(at),
	'two digits are exchanged': (number, at) =>
		`${number.slice(0, at)}${number.charAt(at + 1)}${number.charAt(at)}${number.slice(at + 2)}`,
	'one digit is wrong': (number, at) =>
		`${number.slice(0, at)}${(Number(number[at]) + 1 + below(9)) % 10}${number.slice(at + 1)}`,
};

/** What can become of a number: it is read as itself, it is refused, or it is another one. */
const OUTCOMES = ['itself', 'refused', 'named', 'unnoticed'] as const;

type Outcome = (typeof OUTCOMES)[number];

/** How a cell is read. */
function outcomeOf(cell: unknown, code: CountryCode, number: string): Outcome {
	const phone = parseFarmerPhone(cell, code);
	if (!phone.ok) return 'refused';
	if (phone.value === number) return 'itself';
	return smsDoubt(phone.value) ? 'named' : 'unnoticed';
}

const COUNTRIES = PHONE_COUNTRIES.map(({ code, name, callingCode }) => {
	const numbers = numbersOf(code);
	return { code, name, isAfrican: AFRICA.test(callingCode), numbers };
});

/** For each mistake, the numbers of each country, typed with it. */
const TYPED = Object.entries(MISTAKES).map(([mistake, mistype]) => ({
	mistake,
	countries: COUNTRIES.map((country) => ({
		...country,
		typed: country.numbers.map((local) => ({
			number: parsePhoneNumberFromString(local, country.code)?.number ?? '',
			text: mistype(local, below(local.length - 1)),
		})),
	})),
}));

type Country = (typeof TYPED)[number]['countries'][number];

/** The percentage of the numbers of some countries, in a text and in a number cell, that have an outcome. */
function percentage(countries: readonly Country[], wanted: Outcome): number {
	const outcomes = countries.flatMap(({ code, typed }) =>
		typed.flatMap(({ number, text }) =>
			[text, Number(text)].map((cell) => outcomeOf(cell, code, number)),
		),
	);
	return (100 * outcomes.filter((outcome) => outcome === wanted).length) / outcomes.length;
}

/** The countries in which more than 1 % of the numbers that lack a digit are another one, unnoticed. */
function unsafeCountries(): string[] {
	const { countries = [] } = TYPED.find(({ mistake }) => mistake === 'one digit is missing') ?? {};
	return countries
		.filter(({ typed }) => typed.length > 0)
		.map(({ name, ...country }) => ({
			name,
			share: percentage([{ name, ...country }], 'unnoticed'),
		}))
		.filter(({ share }) => share > 1)
		.sort((one, other) => other.share - one.share)
		.map(({ name, share }) => `${name} ${share.toFixed(0)} %`);
}

/** Prints the figures. */
function main(): void {
	const rows = TYPED.flatMap(({ mistake, countries }) => {
		const african = countries.filter(({ isAfrican }) => isAfrican);
		return Object.entries({ Africa: african, all: countries }).map(([region, some]) => {
			const shares = OUTCOMES.map((outcome) => percentage(some, outcome).toFixed(1));
			return `| ${[`${region} (${some.length})`, mistake, ...shares].join(' | ')} |`;
		});
	});

	const total = COUNTRIES.reduce((sum, { numbers }) => sum + numbers.length, 0);
	console.log(`What becomes of ${total.toLocaleString('en')} mobile numbers of ${COUNTRIES.length} countries, in percent. Each is typed in local form with its Phone Country, in a text and in a number cell, which loses its zero.

| countries | typed | read as itself | refused | another number, row named | another number, unnoticed |
| --- | --- | --- | --- | --- | --- |
${rows.join('\n')}

Countries in which more than 1 % of the numbers that lack a digit are another one, unnoticed: ${unsafeCountries().join(', ')}.`);
}

main();
