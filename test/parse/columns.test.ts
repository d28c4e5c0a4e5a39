import fc from 'fast-check';
import type { ColumnField } from '../../nodes/TractorBooking/parse/columnNames';
import {
	COLUMN_NAMES,
	LAND_AREA_BESIDE_A_UNIT,
	QUALIFIERS,
} from '../../nodes/TractorBooking/parse/columnNames';
import { matchColumns } from '../../nodes/TractorBooking/parse/columns';
import { issueText } from '../../nodes/TractorBooking/parse/issue';

const FIELDS = Object.keys(COLUMN_NAMES) as ColumnField[];

describe('names', () => {
	test.each<[string, ColumnField]>([
		['Tractor ID', 'tractorId'],
		['tractor_id', 'tractorId'],
		['Service type', 'serviceType'],
		['Service', 'serviceType'],
		['Service Date', 'serviceDate'],
		['SERVICE-DATE', 'serviceDate'],
		['Date (dd/mm/yyyy)', 'serviceDate'],
		['Date*', 'serviceDate'],
		['Land area', 'landArea'],
		['Acreage', 'landArea'], // means "area" in general, so it has no unit
		['Area unit', 'areaType'],
		['Unit (ha/ac)', 'areaType'],
		['Farmer’s name', 'farmerName'],
		['Nom de l’agriculteur', 'farmerName'],
		['Phone', 'farmerPhone'],
		['Farmer phone no.', 'farmerPhone'],
		['FARMER_PHONE', 'farmerPhone'],
		['  Mobile\u00A0Number ', 'farmerPhone'],
		['Tel.', 'farmerPhone'],
		['Téléphone', 'farmerPhone'],
		['N° de téléphone', 'farmerPhone'],
		['Numéro de téléphone', 'farmerPhone'],
		['Gender', 'gender'],
		['Sexe', 'gender'],
		['Sex (M/F)', 'gender'],
		['Lat', 'latitude'],
		['Latitude (decimal degrees)', 'latitude'],
		['Long', 'longitude'],
		['Lng', 'longitude'],
		['gps_longitude', 'longitude'],
		['Village', 'farmLocation'],
		['Localité', 'farmLocation'],
		['Notes', 'farmNote'],
		['Crop', 'crop'],
		['Crop(s)', 'crops'],
		['Cultures', 'crops'],
		['custom crop', 'custom_crop'],
	])('%p is %s', (column, field) => {
		const match = matchColumns([column]);
		expect([...match.columns]).toEqual([[field, column]]);
		expect(match.areaTypeFromHeader).toBeUndefined();
		expect(match.unmatched).toEqual([]);
		expect(match.issues).toEqual([]);
	});

	test.each<[string, 'ha' | 'ac']>([
		['Land area (ha)', 'ha'],
		['Area [Acres]', 'ac'],
		['Size (acres)', 'ac'],
		['area_ha', 'ha'],
		['landAreaHa', 'ha'],
		['Land area in hectares', 'ha'],
		['Hectares', 'ha'],
		['No. of acres', 'ac'],
		['Superficie (ha)', 'ha'],
		['Superficie en ha', 'ha'],
	])('%p is a land area in %s', (column, unit) => {
		const match = matchColumns([column], ['landArea', 'areaType']);
		expect([...match.columns]).toEqual([['landArea', column]]);
		expect(match.areaTypeFromHeader).toBe(unit);
		expect(match.issues).toEqual([]);
	});

	test.each([
		'',
		' ',
		'__EMPTY',
		'__proto__',
		'constructor',
		'row_number',
		'Email',
		'Date (of birth)',
		'Phone (next of kin)',
		'Date created',
		'Created',
		'Name of tractor',
		'Total',
		'Farm',
		'ha/ac',
		'Area (sq m)',
		'Has tractor',
		'Price per ha',
	])('%p is left alone', (column) => {
		const match = matchColumns([column]);
		expect(match.columns.size).toBe(0);
		expect(match.unmatched).toEqual([column]);
		expect(match.issues).toEqual([]);
	});

	test('each word of the table belongs to one field and is found', () => {
		const all = FIELDS.flatMap((field) => [field, ...COLUMN_NAMES[field]]);
		expect(new Set(all.map((name) => name.toLowerCase().replaceAll(' ', ''))).size).toBe(
			all.length,
		);
		for (const field of FIELDS) {
			for (const name of [field, ...COLUMN_NAMES[field]]) {
				expect([...matchColumns([name]).columns]).toEqual([[field, name]]);
			}
		}
		for (const name of LAND_AREA_BESIDE_A_UNIT) {
			expect(matchColumns([`${name} hectares`]).areaTypeFromHeader).toBe('ha');
		}
		for (const qualifier of QUALIFIERS) {
			expect([...matchColumns([`Tel (${qualifier})`]).columns.keys()]).toEqual(['farmerPhone']);
		}
	});

	test('case, accents, blanks and punctuation do not count', () => {
		const names = FIELDS.flatMap((field) =>
			COLUMN_NAMES[field].map((name): [ColumnField, string] => [field, name]),
		);
		const blank = fc.constantFrom(' ', '_', '-', '.', '  ', '\u00A0', ' / ');
		fc.assert(
			fc.property(
				fc.constantFrom(...names),
				blank,
				fc.boolean(),
				([field, name], between, upper) => {
					const accented = name.replaceAll('e', 'é').replaceAll(' ', between);
					const column = upper ? accented.toUpperCase() : accented;
					expect([...matchColumns([column]).columns]).toEqual([[field, column]]);
				},
			),
		);
	});
});

describe('a sheet', () => {
	const sheet = [
		'row_number',
		'Farmer',
		'Phone',
		'Village',
		'Lat',
		'Long',
		'Area (ha)',
		'Date',
		'Email',
	];

	test('finds its fields and leaves other columns alone', () => {
		const match = matchColumns(sheet, ['farmerPhone', 'serviceDate', 'landArea', 'areaType']);
		expect(Object.fromEntries(match.columns)).toEqual({
			farmerName: 'Farmer',
			farmerPhone: 'Phone',
			farmLocation: 'Village',
			latitude: 'Lat',
			longitude: 'Long',
			landArea: 'Area (ha)',
			serviceDate: 'Date',
		});
		expect(match).toMatchObject({
			areaTypeFromHeader: 'ha',
			unmatched: ['row_number', 'Email'],
			issues: [],
		});
	});

	test('reports a needed field without a column, and lists the columns found', () => {
		const { issues } = matchColumns(['Farmer', 'Email'], ['farmerName', 'farmerPhone', 'areaType']);
		expect(issues.map(({ field }) => field)).toEqual(['farmerPhone', 'areaType']);
		expect(issues.map(issueText)[0]).toBe(
			'farmerPhone has no column (the columns found are "Farmer", "Email"); add a column "farmerPhone" or rename the one that holds it.',
		);
		expect(issueText(matchColumns([], ['crops']).issues[0]!)).toContain('no columns were found');
	});

	test('reports a field with several columns once', () => {
		const match = matchColumns(['Phone', 'Mobile', 'Farmer'], ['farmerPhone']);
		expect(match.columns.has('farmerPhone')).toBe(false);
		expect(match.unmatched).toEqual([]);
		expect(match.issues.map(issueText)).toEqual([
			'farmerPhone has several columns ("Phone", "Mobile"); rename the right one to "farmerPhone", or the others to something else.',
		]);
	});

	test('takes the column that is named exactly as the field', () => {
		const match = matchColumns([
			'Phone',
			'farmerPhone',
			'Mobile',
			'Area (ha)',
			'landArea',
			'Email',
		]);
		expect(match.columns.get('farmerPhone')).toBe('farmerPhone');
		expect(match.columns.get('landArea')).toBe('landArea');
		expect(match.areaTypeFromHeader).toBeUndefined();
		expect(match.unmatched).toEqual(['Phone', 'Mobile', 'Area (ha)', 'Email']);
		expect(match.issues).toEqual([]);
	});
});

test('no names make it throw, and each column is used, disputed or left alone', () => {
	const name = fc.oneof(
		fc.string({ unit: 'binary' }),
		fc.constantFrom(
			'__proto__',
			'constructor',
			'Phone',
			'Tel',
			'Area (ha)',
			'Acres',
			'crop',
			'Crop',
		),
	);
	fc.assert(
		fc.property(fc.uniqueArray(name), (columns) => {
			const { columns: matched, unmatched, issues } = matchColumns(columns);
			const placed = new Set([...matched.values(), ...unmatched]);
			expect(placed.size === columns.length || issues.length > 0).toBe(true);
			for (const column of matched.values()) expect(columns).toContain(column);
		}),
		{ numRuns: 1_000 },
	);
});
