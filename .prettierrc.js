// The format of n8n's own code base.
module.exports = {
	semi: true,
	trailingComma: 'all',
	bracketSpacing: true,
	useTabs: true,
	tabWidth: 2,
	arrowParens: 'always',
	singleQuote: true,
	quoteProps: 'as-needed',
	endOfLine: 'lf',
	printWidth: 100,
	// As npm writes it.
	overrides: [{ files: ['package.json', '**/tsconfig.json'], options: { useTabs: false } }],
};
