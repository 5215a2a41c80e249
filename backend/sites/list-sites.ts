import type { z } from 'zod';
import type { endpoints } from '@repoless/contract/endpoints.ts';
import { LIMITS } from '@repoless/contract/limits.ts';
import type { Site, SiteListEntry } from '@repoless/contract/site.ts';
import type { AnswerBudget, Printing } from '../domain/answer-budget.ts';
import type { Context } from '../domain/context.ts';
import { Refusal } from '../domain/errors.ts';
import { createFairShare } from '../domain/fair-share.ts';
import type { FairShare } from '../domain/fair-share.ts';
import type { Input, Operation } from '../domain/operation.ts';
import type { StoredSite } from '../domain/ports.ts';
import { yieldToEventLoop } from '../domain/event-loop.ts';

type Entry = z.infer<typeof SiteListEntry>;
type ListSites = (typeof endpoints)['listSites'];

/**
 * Lists the sites of an organization by name: all of them, or a page with a `link` to the next. Lists take turns, one of an
 * organization; those under way are read piece by piece in turn, and each piece is printed before the next is read. In: where they are
 * kept until they are sent. Refuses with OVERLOADED where too many wait or are being sent, with QUERY_INVALID where a list is too long.
 */
export function listSites(budget: AnswerBudget): Operation<ListSites> {
  const [lists, pieces] = [createFairShare(LISTS), createFairShare(PIECES)];
  return (context, input) => lists.run(input.params.org, () => listed({ budget, pieces }, context, input));
}

const LISTS = {
  atOnce: LIMITS.listsAtOnce,
  perShare: 1,
  waitingPerShare: LIMITS.listsWaiting,
  waiting: LIMITS.listsAtOnce * LIMITS.listsWaiting,
  called: 'lists of sites',
};
/** Of lists under way, which wait for nothing else: as many as there are lists. Two, so that one is made while the storage is asked for another. */
const PIECES = { atOnce: 2, perShare: 1, waitingPerShare: 1, waiting: LIMITS.listsAtOnce, called: 'lists of sites' };

interface Shared {
  readonly budget: AnswerBudget;
  readonly pieces: FairShare;
}

async function listed({ budget, pieces }: Shared, { store }: Context, input: Input<ListSites>): ReturnType<Operation<ListSites>> {
  const { org } = input.params;
  const { limit = Infinity, after, details } = input.query;
  const printed = budget.begin(org);
  const read = (page: { after?: string; limit: number }) =>
    pieces.run(org, () => yieldToEventLoop().then(() => readPage(store, org, page, details)));
  let [cursor, count, more] = [after, 0, false];
  try {
    for (;;) {
      // One more than asked for shows whether there is a next page.
      const wanted = Math.min(details === true ? AT_ONCE : NAMES_AT_ONCE, limit + 1 - count);
      const found = await read({ limit: wanted, ...(cursor === undefined ? {} : { after: cursor }) });
      more = count + found.length > limit;
      const sites = more ? found.slice(0, limit - count) : found;
      print(printed, sites, count === 0);
      count += sites.length;
      cursor = sites.at(-1)?.name ?? cursor;
      if (more || found.length === 0) break;
    }
    printed.add(count === 0 ? '{\n  "sites": []\n}' : END);
  } catch (error) {
    printed.left();
    throw error;
  }
  return {
    result: 'done',
    printed,
    ...(more ? { headers: { link: `<${nextPage(org, input.query, cursor)}>; rel="next"` } } : {}),
  };
}

/** Adds entries as the whole list has them. */
function print(printed: Printing, sites: readonly Entry[], isFirst: boolean): void {
  if (sites.length === 0) return;
  const entries = JSON.stringify({ sites }, null, 2).slice(BEGIN.length, -END.length);
  printed.add(`${isFirst ? BEGIN : ',\n'}${entries}`);
  if (printed.bytes > LIMITS.listLength - END.length) throw tooLong();
}

const BEGIN = '{\n  "sites": [\n';
const END = '\n  ]\n}';

function tooLong(): Refusal {
  const sentence = `The list has more than ${LIMITS.listLength} bytes. Request it in pages: ?limit=100, then follow the link in each response.`;
  return new Refusal('QUERY_INVALID', sentence, { errors: [{ pointer: '/limit', detail: sentence }] });
}

async function readPage(
  { reads }: Context['store'],
  org: string,
  page: { after?: string; limit: number },
  details: boolean | undefined,
): Promise<Entry[]> {
  if (details !== true) return (await reads.listSiteNames(org, page)).map((name) => entry(org, name));
  return (await reads.listSites(org, { ...page, bytes: READ_AT_ONCE })).map((site) => ({ ...entry(org, site.site), ...detail(site) }));
}

function entry(org: string, name: string): Entry {
  return { name, path: `/config/${org}/sites/${name}.json` };
}

function detail({ aggregate }: StoredSite): Partial<Entry> {
  return { ...listDetail(aggregate), ...(aggregate.public === undefined ? {} : { public: aggregate.public }) };
}

/** What a list of sites or profiles tells of each. */
export function listDetail({ content, code, cdn }: Pick<Site, 'content' | 'code' | 'cdn'>): Pick<Entry, 'content' | 'code' | 'cdn'> {
  const host = cdn?.prod?.host;
  return {
    ...(content === undefined ? {} : { content }),
    ...(code === undefined ? {} : { code }),
    ...(host === undefined ? {} : { cdn: { prod: { host } } }),
  };
}

function nextPage(org: string, { limit, details }: Input<ListSites>['query'], after: string | undefined): string {
  return `/config/${org}/sites.json?limit=${limit}&after=${after}${details === true ? '&details=true' : ''}`;
}

/** Sites that are read at once, and bytes of their documents: some milliseconds. */
const AT_ONCE = 200;
const READ_AT_ONCE = 250_000;
const NAMES_AT_ONCE = 1000;
