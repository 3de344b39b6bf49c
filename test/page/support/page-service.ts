import { afterAll, afterEach, beforeAll } from '@jest/globals';
import type { Browser, BrowserContext } from 'playwright-core';
import { TestService, type TestServiceOptions } from '../../service/support/test-service.ts';
import { openBrowser, openPage, type PageOptions, type Watched } from './browser.ts';

/** A row of the list that holds a market. */
export const ROWS = '.markets tbody tr:not(.placeholder)';
/** The list when it holds what was asked for last. */
export const SETTLED = '.markets[aria-busy=false]';

export interface PageService {
  /** A page at a path of the service, closed after the test. */
  readonly open: (path?: string, options?: PageOptions) => Promise<Watched>;
  readonly browser: () => Browser;
  readonly service: () => TestService;
}

/** For the tests of one file: a browser, and a service that nobody limits, with data. */
export function pageService(options: TestServiceOptions = {}): PageService {
  let browser: Browser | undefined;
  let service: TestService | undefined;
  const open: BrowserContext[] = [];
  const held = <T>(value: T | undefined): T => {
    if (value === undefined) throw new Error('It has not been started');
    return value;
  };
  beforeAll(async () => {
    const environment = { REQUESTS_PER_MINUTE: 'off', ...options.environment };
    [browser, service] = await Promise.all([openBrowser(), TestService.start({ ...options, environment })]);
    const { ok, error } = await service.service.refresh();
    if (!ok) throw new Error(error);
  });
  // Pages go on polling: nothing must be left of a test.
  afterEach(async () => {
    await Promise.all(open.splice(0).map((context) => context.close()));
  });
  afterAll(async () => {
    await browser?.close();
    await service?.close();
  });
  return {
    browser: () => held(browser),
    service: () => held(service),
    open: async (path = '/', pageOptions = {}) => {
      const { url } = held(service).service;
      const watched = await openPage(held(browser), url, pageOptions);
      open.push(watched.context);
      await watched.page.goto(`${url}${path}`);
      return watched;
    },
  };
}
