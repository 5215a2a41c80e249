import type { endpoints } from '#contract/endpoints.ts';
import type { SiteListEntry } from '#contract/site.ts';
import { nextTurn } from '../turn.ts';
import type { z } from 'zod';
import { LIMITS } from '#contract/limits.ts';
import type { Context } from '../context.ts';
import { Refusal } from '../errors.ts';
import type { StoredSite } from '../ports.ts';
import type { Operation } from '../operation.ts';

type Entry = z.infer<typeof SiteListEntry>;

/** Lists the sites of an organization by name: all of them, or a page with a `link` to the next. */
export const listSites: Operation<(typeof endpoints)['listSites']> = async (context, { params: { org }, query }) => {
  const { limit } = query;
  // One more than asked for shows whether there is a next page.
  const found = await upTo(limit === undefined ? Infinity : limit + 1, query.after, (page) => readPage(context, org, page, query.details));
  const sites = limit === undefined ? found : found.slice(0, limit);
  const last = sites.at(-1);
  const more = last !== undefined && found.length > sites.length;
  return {
    result: 'done',
    body: { sites },
    ...(more ? { headers: { link: `<${nextPage(org, limit, last.name, query.details)}>; rel="next"` } } : {}),
  };
};

async function upTo(
  limit: number,
  after: string | undefined,
  read: (page: { after?: string; limit: number }) => Promise<Entry[]>,
): Promise<Entry[]> {
  const all: Entry[] = [];
  let cursor = after;
  let length = 0;
  let size = FIRST_CHUNK;
  while (all.length < limit) {
    const wanted = Math.min(size, limit - all.length);
    const chunk = await read({ limit: wanted, ...(cursor === undefined ? {} : { after: cursor }) });
    all.push(...chunk);
    cursor = chunk.at(-1)?.name;
    const added = JSON.stringify(chunk).length;
    length += added;
    if (length > LIMITS.listLength) throw tooLong();
    if (chunk.length < wanted) break;
    // As many as are read in some milliseconds, whatever they hold; others have their turn between.
    size = Math.max(FIRST_CHUNK, Math.min(CHUNK, Math.floor((CHUNK_LENGTH / added) * wanted)));
    await nextTurn();
  }
  return all;
}

function tooLong(): Refusal {
  const sentence = `The list has more than ${LIMITS.listLength} characters. Ask for a part of it: ?limit=100, then with the link of each answer.`;
  return new Refusal('QUERY_INVALID', sentence, { errors: [{ pointer: '/limit', detail: sentence }] });
}

async function readPage(
  { store }: Context,
  org: string,
  page: { after?: string; limit: number },
  details: boolean | undefined,
): Promise<Entry[]> {
  if (details === true) return (await store.reads.listSites(org, page)).map((site) => ({ ...entry(org, site.site), ...detail(site) }));
  return (await store.reads.listSiteNames(org, page)).map((name) => entry(org, name));
}

function entry(org: string, name: string): Entry {
  return { name, path: `/config/${org}/sites/${name}.json` };
}

function detail({ aggregate }: StoredSite): Pick<Entry, 'content' | 'code' | 'cdn' | 'public'> {
  const { content, code, cdn } = aggregate;
  const host = cdn?.prod?.host;
  return {
    ...(content === undefined ? {} : { content }),
    ...(code === undefined ? {} : { code }),
    ...(host === undefined ? {} : { cdn: { prod: { host } } }),
    ...(aggregate.public === undefined ? {} : { public: aggregate.public }),
  };
}

function nextPage(org: string, limit: number | undefined, after: string, details: boolean | undefined): string {
  return `/config/${org}/sites.json?limit=${limit}&after=${after}${details === true ? '&details=true' : ''}`;
}

const CHUNK = 1000;
const FIRST_CHUNK = 10;
/** Characters of the entries of a chunk. */
const CHUNK_LENGTH = 500_000;
