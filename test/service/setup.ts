import { jest } from '@jest/globals';

// A test of the whole service may send a thousand requests, or make runs of the refresher.
jest.setTimeout(60_000);
