/** Excel's number of a day from 2000 to 2099. */
export const isDayNumber = (value: unknown): value is number =>
	typeof value === 'number' && value > 36525 && value < 73051;

const DAY_MS = 24 * 60 * 60 * 1000;

/** The day of Excel's number of it, as `YYYY-MM-DD`. */
export const dateOf = (number: number) =>
	new Date(Math.floor(number - 25569) * DAY_MS).toISOString().slice(0, 10);
