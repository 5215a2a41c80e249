import { describe, expect, it } from 'vitest';
import { startPublishing } from '#backend/publishing/start-publishing.ts';
import type { Store } from '#backend/domain/ports.ts';
import { postgresEngine } from '../support/each-store.ts';
import { publicPaths, siteWrite } from '../support/builders.ts';
import { nodeWithOwnClock, register } from './checked-sites.ts';
import { putSite } from './put-site.ts';

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

  it('leaves what it publishes to others within a minute of its end', async () => {
    const place = await engine.place();
    const [store, other] = [await place.open(), await place.open()];
    await store.publishing.publishTo('here');
    await putSite(store, siteWrite('site', { public: publicPaths('/content/site') }));
    const [begun, gate] = [signal(), signal()];
    const publishing = startPublishing({
      store,
      placeName: 'here',
      place: {
        read() {
          begun.give();
          return gate.given.then(() => undefined);
        },
        write: async () => true,
        remove: async () => true,
        keys: async () => ({ keys: [], hasMore: false }),
        close: async () => undefined,
      },
      purge: undefined,
      now: () => ahead().time,
      failed(what, error) {
        throw new Error(what, { cause: error });
      },
    });
    await begun.given;
    const claim = (leased: Date) => {
      const until = new Date(leased.getTime() + MINUTE);
      return other.publishing.claim({ place: 'here', owner: 'next', until, now: leased, leased, limit: 1, behind: '' });
    };
    expect(await claim(new Date())).toEqual([]);
    expect(await claim(new Date(Date.now() + 2 * MINUTE))).toMatchObject([{ org: 'acme', site: 'site' }]);
    gate.give();
    await publishing.close();
  });
});

function signal(): { readonly given: Promise<void>; give(): void } {
  let give: () => void = () => undefined;
  const given = new Promise<void>((resolve) => {
    give = resolve;
  });
  return { given, give: () => give() };
}
