import { EventEmitter } from 'node:events';
import { describe, expect, it } from '@jest/globals';
import { firstRefresh } from '../../../local/first-refresh.ts';
import type { LocalService } from '../../../local/local-service.ts';

const PATIENCE_MS = 20;

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
  const result = firstRefresh(service, PATIENCE_MS);
  for (const message of messages) events.emit('log', { refresher: true, message });
  return { result, events };
}

describe('the first refresh', () => {
  it('is waited for', async () => {
    const done = Promise.resolve({ ok: true, durationMs: 1 });
    expect(await serviceThatSays([], done).result).toMatchObject({ ok: true });
  });

  it('is not waited for any longer while the upstream is silent', async () => {
    const { result, events } = serviceThatSays(['Upstream call failed']);
    expect(await result).toBe('silent');
    expect(events.listenerCount('log')).toBe(0);
  });

  it.each([[[]], [['Upstream call failed', 'Refresh progress']]])(
    'is waited for after %j',
    async (messages) => {
      const later = new Promise<{ ok: boolean; durationMs: number }>((resolve) => {
        setTimeout(() => resolve({ ok: true, durationMs: 1 }), 5 * PATIENCE_MS);
      });
      expect(await serviceThatSays(messages, later).result).toMatchObject({ ok: true });
    },
  );
});
