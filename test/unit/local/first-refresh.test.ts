import { EventEmitter } from 'node:events';
import { describe, expect, it } from '@jest/globals';
import { firstRefresh } from '../../../local/first-refresh.ts';
import type { LocalService } from '../../../local/local-service.ts';

/** A service whose refresher has said these things and whose first run ends when it is told to. */
function serviceThatSays(
  messages: readonly string[],
  outcome?: Promise<{ ok: boolean; durationMs: number }>,
) {
  const events = new EventEmitter();
  const service = {
    firstRefresh: outcome ?? new Promise(() => {}),
    on: (name: string, listener: () => void) => events.on(name, listener),
    off: (name: string, listener: () => void) => events.off(name, listener),
  } as unknown as LocalService;
  const looks = new Set<() => void>();
  const result = firstRefresh(service, (look) => {
    looks.add(look);
    return () => looks.delete(look);
  });
  for (const message of messages) events.emit('log', { refresher: true, message });
  const passTime = () => {
    for (const look of looks) look();
  };
  return { result, events, looks, passTime };
}

describe('the first refresh', () => {
  it('is waited for', async () => {
    const done = Promise.resolve({ ok: true, durationMs: 1 });
    expect(await serviceThatSays([], done).result).toMatchObject({ ok: true });
  });

  it('is not waited for any longer while the upstream is silent', async () => {
    const { result, events, looks, passTime } = serviceThatSays(['Upstream call failed']);
    passTime();
    expect(await result).toBe('silent');
    expect([events.listenerCount('log'), looks.size]).toEqual([0, 0]);
  });

  it.each([[[]], [['Upstream call failed', 'Refresh progress']]])(
    'is waited for after %j',
    async (messages) => {
      const later = Promise.withResolvers<{ ok: boolean; durationMs: number }>();
      const { result, passTime } = serviceThatSays(messages, later.promise);
      for (let time = 0; time < 5; time++) passTime();
      later.resolve({ ok: true, durationMs: 1 });
      expect(await result).toMatchObject({ ok: true });
    },
  );
});
