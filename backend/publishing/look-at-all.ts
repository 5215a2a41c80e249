import { randomUUID } from 'node:crypto';
import type { CopyPlace, PublishStore, SiteName, WholeLook } from '#backend/domain/publishing/ports.ts';
import { siteOfKey } from './object-key.ts';

interface Look {
  readonly queue: PublishStore;
  readonly place: CopyPlace;
  readonly placeName: string;
  now(): Date;
  /** The present by the clock that all nodes share: what is stored of leases and attempts is set and compared by it. */
  leaseTime(): Promise<Date>;
  /** Milliseconds. */
  readonly lease: number;
  /** Sites wait for a CDN, which no copy waits for. */
  readonly isCdnBehind: boolean;
}

/**
 * A step of the look at everything, which is due when a place is named and once a day after it: first all sites are queued to be compared,
 * then the objects whose site is not stored. A page at a time, and none while others wait: a change never waits long behind it. Out: when to
 * ask for the next step, and whether there is something to be published before it.
 */
export async function lookAtAll({
  queue,
  place,
  placeName,
  now,
  leaseTime,
  lease,
  isCdnBehind,
}: Look): Promise<{ next: Date; queued: boolean }> {
  const present = now();
  const after = (milliseconds: number) => new Date(present.getTime() + milliseconds);
  if (!isCdnBehind && (await queue.isWaiting(PAGE))) return { next: after(SOON), queued: false };
  const owner = randomUUID();
  const leased = await leaseTime();
  const until = new Date(leased.getTime() + lease);
  const look = await queue.claimLook({ place: placeName, owner, until, now: leased, leased });
  if (look === undefined) return { next: after(OFTEN), queued: false };
  const { further, sites } = look.phase === 'objects' ? await objects(place, look) : await stored(queue, look);
  const queued = look.phase === 'objects' ? await queue.unknown(sites) : sites;
  await queue.queue(queued, present);
  await queue.lookedUpTo(further, owner, further.phase === 'done' ? new Date(leased.getTime() + DAY) : leased);
  return { next: further.phase === 'done' ? after(OFTEN) : present, queued: queued.length > 0 || further.phase !== 'done' };
}

interface Page {
  readonly further: WholeLook;
  readonly sites: readonly SiteName[];
}

async function stored(queue: PublishStore, { after }: WholeLook): Promise<Page> {
  const [org = '', site = ''] = after.split('/');
  const sites = await queue.sites({ org, site }, PAGE);
  const last = sites.at(-1);
  if (last === undefined || sites.length < PAGE) return { further: { phase: 'objects', after: '' }, sites };
  return { further: { phase: 'sites', after: `${last.org}/${last.site}` }, sites };
}

async function objects(place: CopyPlace, { after }: WholeLook): Promise<Page> {
  const { keys, hasMore } = await place.keys(after, PAGE);
  const last = keys.at(-1);
  const sites = new Map(keys.flatMap((key) => siteOfKey(key) ?? []).map((name) => [`${name.org}/${name.site}`, name]));
  const further: WholeLook = last === undefined || !hasMore ? { phase: 'done', after: '' } : { phase: 'objects', after: last };
  return { further, sites: [...sites.values()] };
}

const PAGE = 500;
const SOON = 1000;
const OFTEN = 60_000;
const DAY = 24 * 60 * 60_000;
