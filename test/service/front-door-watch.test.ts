import { afterAll, beforeAll, describe, expect, it } from '@jest/globals';
import { TestService } from './support/test-service.ts';

const WATCH = 'FrontDoorWatch';
const FAILED = 'The front door does not respond as it should';

let service: TestService;
beforeAll(async () => {
  service = await TestService.start();
}, 60_000);
afterAll(() => service.close());

const look = () => service.service.functions.find(WATCH).invoke('{}');

describe('the bundle of the front door’s watch', () => {
  it('gets through the front door of this machine, before the first snapshot too', async () => {
    expect(await look()).toMatchObject({ ok: true });
  });

  it('fails, with a line, where nobody listens', async () => {
    const closed = await TestService.start({ environment: { FRONT_DOOR_URL: 'http://127.0.0.1:1' } });
    try {
      const looked = await closed.service.functions.find(WATCH).invoke('{}');
      expect(looked).toMatchObject({ ok: false });
      expect(closed.logs.filter(({ message }) => message === FAILED)).toMatchObject([
        { level: 'ERROR', keys: { failure: 'network' } },
      ]);
    } finally {
      await closed.close();
    }
  }, 60_000);
});
