import { forgetKeys } from '../../nodes/TractorBooking/api/rateLimiter';
import { processedData } from './engine.cts';
import { LateService } from './lateService.cts';
import { skipped } from './skippedTime.cts';

/**
 * Gives each test of a suite a late service and a clock of its own, with nothing remembered by the process or by n8n.
 *
 * @param now the clock, in milliseconds since 1970
 * @param use gets the service before each test
 */
export function eachWithLateService(now: () => number, use: (service: LateService) => void): void {
	let service: LateService;
	beforeEach(async () => {
		skipped.ms = 0;
		jest.spyOn(Date, 'now').mockImplementation(now);
		// A server may get the port of one before it.
		forgetKeys();
		processedData.clear();
		service = await LateService.start();
		use(service);
	});
	afterEach(async () => {
		jest.restoreAllMocks();
		await service.close();
	});
}
