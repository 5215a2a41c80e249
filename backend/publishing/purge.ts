import { configAddress } from '#contract/addresses.ts';
import type { HostDomains } from '#contract/addresses.ts';
import type { SealedValue } from '#contract/sealed-value.ts';
import type { SiteName } from '#backend/domain/publishing/ports.ts';
import { surrogateKey, TIERS } from './object-key.ts';

/** Tells the CDNs that the copies of these sites changed. Rejects where one of them was not told. */
export type Purge = (sites: readonly SiteName[]) => Promise<void>;

/** Who is told, each in its own form. */
export type Cdn =
  | { readonly type: 'hook'; readonly url: string; readonly secret: SealedValue }
  | { readonly type: 'fastly'; readonly api: string; readonly service: string; readonly token: SealedValue }
  | { readonly type: 'cloudflare'; readonly api: string; readonly zone: string; readonly by: 'urls' | 'tags'; readonly token: SealedValue };

interface PurgeCall {
  readonly url: string;
  readonly headers: Readonly<Record<string, string>>;
  readonly body: string;
}

/** A call as the guarded way out makes it: bounded in time, redirects not followed. */
export type Post = (call: PurgeCall & { readonly below: string }) => Promise<{ readonly status: number; readonly body: Uint8Array }>;

export function createPurge(cdns: readonly Cdn[], domains: HostDomains, post: Post): Purge | undefined {
  if (cdns.length === 0) return undefined;
  return async (sites) => {
    const told = await Promise.allSettled(cdns.map((cdn) => tell(cdn, callsOf(cdn, sites, domains), post)));
    for (const one of told) if (one.status === 'rejected') throw one.reason;
  };
}

async function tell({ type }: Cdn, calls: readonly PurgeCall[], post: Post): Promise<void> {
  for (const call of calls) {
    const { status, body } = await post({ ...call, below: `${new URL(call.url).origin}/` });
    if (status < 200 || status >= 300 || (type === 'cloudflare' && !isSuccess(body)))
      throw new Error(`The CDN at ${new URL(call.url).host} did not accept the purge: it returned ${status}.`);
  }
}

function callsOf(cdn: Cdn, sites: readonly SiteName[], domains: HostDomains): PurgeCall[] {
  const keys = sites.map(surrogateKey);
  const urls = () => sites.flatMap(({ org, site }) => TIERS.map((tier) => configAddress(domains, tier, org, site)));
  const json = { 'content-type': 'application/json' };
  switch (cdn.type) {
    case 'hook': {
      const headers = { ...json, authorization: `Bearer ${cdn.secret.reveal()}` };
      return [{ url: cdn.url, headers, body: JSON.stringify({ surrogateKeys: keys, urls: urls() }) }];
    }
    case 'fastly': {
      const headers = { ...json, accept: 'application/json', 'fastly-key': cdn.token.reveal() };
      const url = `${cdn.api}/service/${encodeURIComponent(cdn.service)}/purge`;
      return some(keys, FASTLY_KEYS).map((surrogate_keys) => ({ url, headers, body: JSON.stringify({ surrogate_keys }) }));
    }
    case 'cloudflare': {
      const headers = { ...json, authorization: `Bearer ${cdn.token.reveal()}` };
      const url = `${cdn.api}/zones/${encodeURIComponent(cdn.zone)}/purge_cache`;
      const bodies =
        cdn.by === 'tags'
          ? some(keys, CLOUDFLARE_ENTRIES).map((tags) => ({ tags }))
          : some(urls(), CLOUDFLARE_ENTRIES).map((files) => ({ files }));
      return bodies.map((body) => ({ url, headers, body: JSON.stringify(body) }));
    }
    default:
      return cdn satisfies never;
  }
}

function some<T>(all: readonly T[], limit: number): T[][] {
  return Array.from({ length: Math.ceil(all.length / limit) }, (_, page) => all.slice(page * limit, (page + 1) * limit));
}

function isSuccess(body: Uint8Array): boolean {
  try {
    const answer: unknown = JSON.parse(Buffer.from(body).toString('utf8'));
    return typeof answer === 'object' && answer !== null && 'success' in answer && answer.success === true;
  } catch {
    return false;
  }
}

/** At most so many in a call, as their interfaces say. */
const FASTLY_KEYS = 256;
const CLOUDFLARE_ENTRIES = 30;
