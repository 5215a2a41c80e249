import { describe, expect, it } from 'vitest';
import { createChangeAwareCache } from '@repoless/service/domain/change-aware-cache.ts';

describe('what is read once and used while it is known to be current', () => {
  it('never goes back behind what was read while the node did not hear', async () => {
    let [hearing, stored] = [true, 1];
    const store = { isHearing: () => hearing, onChangesMissed: () => () => undefined };
    const kept = createChangeAwareCache({ store, now: () => new Date(0), read: () => Promise.resolve(stored) });
    expect(await kept.get('token')).toBe(1);
    hearing = false;
    stored = 2;
    expect(await kept.get('token')).toBe(2);
    // It hears again before the news of the second value has come.
    hearing = true;
    expect(await kept.get('token')).toBe(2);
  });

  it('is read once while the node hears, and again after a change', async () => {
    let reads = 0;
    const store = { isHearing: () => true, onChangesMissed: () => () => undefined };
    const kept = createChangeAwareCache({ store, now: () => new Date(0), read: () => Promise.resolve((reads += 1)) });
    expect([await kept.get('token'), await kept.get('token')]).toEqual([1, 1]);
    kept.forget('token');
    expect(await kept.get('token')).toBe(2);
  });
});
