import { describe, expect, it } from 'vitest';
import type { Store } from '@repoless/service/domain/ports.ts';
import { postgresEngine } from '../support/each-store.ts';
import { nodeWithOwnClock, register } from './checked-sites.ts';

const MINUTE = 60_000;
const ahead = () => ({ time: new Date(Date.now() + 10 * MINUTE) });

describe('on PostgreSQL a node whose clock is ahead', () => {
  const engine = postgresEngine();

  it('joins the check of an organization that another node makes', async () => {
    const place = await engine.place();
    const [store, other] = [await place.open(), await place.open()];
    await register(store, 1);
    const gate = signal();
    const checks: Store['checks'] = { ...store.checks, due: (...asked) => gate.given.then(() => store.checks.due(...asked)) };
    const [slow, second] = [nodeWithOwnClock({ ...store, checks }, { time: new Date() }), nodeWithOwnClock(other, ahead())];
    expect(await slow.begin('acme')).toMatchObject({ joined: false });
    expect(await second.begin('acme')).toMatchObject({ joined: true });
    gate.give();
    await slow.close();
    await second.close();
  });
});

function signal(): { readonly given: Promise<void>; give(): void } {
  let give: () => void = () => undefined;
  const given = new Promise<void>((resolve) => {
    give = resolve;
  });
  return { given, give: () => give() };
}
