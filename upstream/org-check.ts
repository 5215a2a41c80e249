import { Refusal } from '@repoless/contract/refusal.ts';
import { type CheckStarted, StoredFinding } from '@repoless/contract/site-check.ts';
import { isSeen, packFindings, unpackFindings } from '@repoless/core/checks/stored-findings.ts';
import { eachBounded } from '@repoless/core/run/retry.ts';
import { z } from 'zod';
import { type Call, callerName } from './call.ts';
import { load, SITE } from './document.ts';
import type { Raw } from './documents.ts';
import { checkOneSite } from './site-look.ts';
import { siteNames } from './listed-sites.ts';
import type { Store } from './store.ts';

const Packed = z.object({ common: StoredFinding.shape.data, own: z.array(StoredFinding) });

/** Findings at a site without the authoring system, and their author. */
const SiteLook = z.object({
  site: z.string(),
  at: z.iso.datetime(),
  by: z.string(),
  /** When the site was last written, by anyone; absent if unknown. */
  written: z.iso.datetime().optional(),
  findings: Packed.transform(unpackFindings),
});
export type SiteLook = z.output<typeof SiteLook>;
type StoredLook = z.input<typeof SiteLook>;

/** The checks of all sites in progress in this program, by organization. */
export type RunningChecks = Map<string, CheckStarted['running']>;

/** Sites checked concurrently: leaves one request of an organization for people. */
const SITE_CONCURRENCY = 4;
/** Milliseconds before a token expires in which no further site is checked. */
const MARGIN = 60_000;

/**
 * Checks all sites of an organization with the token of the caller, which is held in memory only. Returns the progress; joins a check that
 * is in progress. If the sign-in ends or the hosted service does not respond, the remaining sites keep their previous findings.
 */
export async function startOrgCheck(call: Call): Promise<CheckStarted> {
  const { org = '' } = call.params;
  const names = await siteNames(call);
  const present = call.checks.get(org);
  if (present !== undefined) return { running: { ...present }, joined: true };
  const running = { since: call.options.now().toISOString(), done: 0, total: names.length };
  call.checks.set(org, running);
  // The next check covers the remaining sites.
  const ended = (error?: unknown) => {
    call.checks.delete(org);
    if (running.done < running.total) call.options.checkStopped?.(org, running, error);
  };
  void checkAllSites(call, names, running).then(() => ended(), ended);
  return { running: { ...running } };
}

async function checkAllSites(call: Call, names: readonly string[], running: CheckStarted['running']): Promise<void> {
  const { org = '' } = call.params;
  const stop = new AbortController();
  const look = async (site: string): Promise<void> => {
    const now = call.options.now();
    const ends = call.credential?.expires;
    if (ends !== undefined && ends * 1000 - now.getTime() < MARGIN) return stop.abort();
    const own: Call = { ...call, method: 'GET', params: { org, site }, query: {}, body: undefined };
    const present = await load(own, SITE).catch((error: unknown) => {
      if (error instanceof Refusal && error.code === 'NOT_AUTHORIZED') return undefined;
      throw error;
    });
    if (present !== undefined) {
      const findings = await checkOneSite(own, present.shown, `check ${running.since}`);
      const written = timeIn(present.raw['lastModified']);
      const kept = { site, at: now.toISOString(), by: callerName(call), ...(written === undefined ? {} : { written }) };
      await call.options.store.put('look', org, site, { ...kept, findings: packFindings(findings.filter(isSeen)) } satisfies StoredLook);
    }
    running.done += 1;
  };
  const looked = async (site: string) =>
    look(site).catch((error: unknown) => {
      stop.abort();
      throw error;
    });
  await eachBounded(names, SITE_CONCURRENCY, looked, stop.signal);
}

/** The newest check of a site. */
export async function storedCheckOf({ options, params }: Call, site: string): Promise<SiteLook | undefined> {
  return SiteLook.safeParse(await options.store.get('look', params['org'] ?? '', site)).data;
}

/** The newest check of each site of an organization. */
export async function storedChecksOf(store: Pick<Store, 'list'>, org: string): Promise<ReadonlyMap<string, SiteLook>> {
  const stored = await store.list('look', org);
  return new Map(stored.flatMap((value) => SiteLook.safeParse(value).data ?? []).map((look) => [look.site, look]));
}

/** A time in a document, as the contract formats it. */
export function timeIn(value: Raw[string]): string | undefined {
  return typeof value === 'string' && !Number.isNaN(Date.parse(value)) ? new Date(value).toISOString() : undefined;
}
