import { afterEach, expect, it, vi } from 'vitest';
import { eachStore } from '../support/each-store.ts';

const MINUTE = 60_000;

afterEach(() => vi.useRealTimers());

eachStore((engine) => {
  it('retains the given number of values of a kind, those that expire last', async () => {
    const { shortLived } = await engine.open();
    const end = (n: number) => new Date(Date.now() + 60_000 + n * 1000);
    for (let n = 0; n < 6; n += 1) await shortLived.put('webhook', `delivery-${n}`, n, end(n));
    await shortLived.put('challenge', 'delivery-0', 'another kind', end(0));
    await shortLived.retainLatest('webhook', 6);
    expect(await shortLived.count('webhook')).toBe(6);
    await shortLived.retainLatest('webhook', 4);
    expect(await shortLived.list('webhook', 'delivery-')).toEqual([2, 3, 4, 5]);
    expect(await shortLived.get('challenge', 'delivery-0')).toBe('another kind');
  });

  it('retains the given number of values with a key prefix, and displaces the oldest of the largest share', async () => {
    const { shortLived } = await engine.open();
    const put = (share: string, n: number) =>
      shortLived.put('plan', `${share} ${n}`, `${share}${n}`, new Date(Date.now() + 60_000 + n * 1000));
    for (let n = 0; n < 150; n += 1) await put('a', n);
    for (let n = 0; n < 20; n += 1) await put('b', n);
    await put('c', 0);
    await shortLived.retainLatest('plan', 12, 'b ');
    expect(await shortLived.list('plan', 'b ')).toHaveLength(12);
    expect(await shortLived.list('plan', 'b ')).not.toContain('b7');
    await shortLived.displace('plan', 2);
    expect(new Set(await shortLived.list('plan', 'a '))).toEqual(new Set(Array.from({ length: 50 }, (_, n) => `a${n + 100}`)));
    expect([(await shortLived.list('plan', 'b ')).length, (await shortLived.list('plan', 'c ')).length]).toEqual([12, 1]);
  });

  it('displaces by shares that end before a character', async () => {
    const { shortLived } = await engine.open();
    const put = (share: string, n: number) =>
      shortLived.put('challenge', `${share}:${n}`, `${share}${n}`, new Date(Date.now() + 60_000 + n * 1000));
    for (let n = 0; n < 150; n += 1) await put('one', n);
    for (let n = 0; n < 10; n += 1) await put('another', n);
    await shortLived.displace('challenge', ':');
    expect(new Set(await shortLived.list('challenge', 'one:'))).toEqual(new Set(Array.from({ length: 50 }, (_, n) => `one${n + 100}`)));
    expect(await shortLived.list('challenge', 'another:')).toHaveLength(10);
  });

  it('retains values that have not expired by the clock of every node', async () => {
    const { open } = await engine.newDatabase();
    const one = await open();
    const start = Date.now();
    await one.shortLived.put('revoked-token', 'revoked', true, new Date(start + 4 * MINUTE));
    await one.shortLived.put('challenge', 'challenged', 'first', new Date(start + 4 * MINUTE));
    // SQLite allows one node at a time, whose clock may be set back.
    const ahead = engine.name === 'PostgreSQL' ? await open() : one;
    vi.useFakeTimers({ toFake: ['Date'], now: start + 30 * MINUTE });
    await ahead.shortLived.put('device', 'device', {}, new Date(start + 45 * MINUTE));
    // For the node itself it has ended.
    expect(await ahead.shortLived.get('revoked-token', 'revoked')).toBeUndefined();
    expect(await ahead.shortLived.add('challenge', 'challenged', 'second', new Date(start + 60 * MINUTE))).toBe(true);
    expect(await ahead.shortLived.add('challenge', 'challenged', 'third', new Date(start + 60 * MINUTE))).toBe(false);
    vi.useRealTimers();
    expect(await one.shortLived.get('revoked-token', 'revoked')).toBe(true);
    expect(await one.shortLived.get('challenge', 'challenged')).toBe('second');
    // Later it has expired by every clock.
    vi.useFakeTimers({ toFake: ['Date'], now: start + 70 * MINUTE });
    await ahead.shortLived.put('device', 'another', {}, new Date(start + 90 * MINUTE));
    vi.useRealTimers();
    expect(await one.shortLived.get('revoked-token', 'revoked')).toBeUndefined();
    await one.close();
    if (ahead !== one) await ahead.close();
  });
});
