import { simulateDate } from './virtualClock.cts';

/** It is noon of this day, in suites whose pages have days: they import this before all else. */
simulateDate(new Date('2035-11-26T12:00:00Z'));
afterAll(() => void jest.useRealTimers());
