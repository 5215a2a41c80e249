import { describe, expect, it } from 'vitest';
import { createChangeAwareCache } from '@repoless/service/domain/change-aware-cache.ts';

describe('what is read once and used for a moment', () => {
  it('is read again after a change, after a second, and where the clock was set back', async () => {
    let [reads, time] = [0, 10_000];
    const cache = createChangeAwareCache({ now: () => new Date(time), read: () => Promise.resolve((reads += 1)) });
    expect([await cache.get('token'), await cache.get('token')]).toEqual([1, 1]);
    cache.forget('token');
    expect(await cache.get('token')).toBe(2);
    time += 999;
    expect(await cache.get('token')).toBe(2);
    time += 1;
    expect(await cache.get('token')).toBe(3);
    time -= 5000;
    expect(await cache.get('token')).toBe(4);
  });
});
