import { Refusal } from '@repoless/contract/refusal.ts';
import { type CheckStarted, SiteCheckInput, StoredFinding } from '@repoless/contract/site-check.ts';
import { isSeen, packFindings, unpackFindings } from '@repoless/core/checks/stored-findings.ts';
import { mapConcurrently } from '@repoless/core/run/retry.ts';
import { z } from 'zod';
import { type Call, callerKey, callerName } from './call.ts';
import { isoTime, load, PROFILE, type Raw, SITE, siteNames } from './document.ts';
import type { Store } from './store.ts';
import { aggregateSite, extendedProfile } from '@repoless/contract/aggregate-site.ts';
import { DEFAULT_REF } from '@repoless/contract/names.ts';
import type { Profile, Site } from '@repoless/contract/site.ts';
import { authorOf, checkFromWithin, previewOf, UNREAD } from '@repoless/core/checks/check-from-within.ts';
import { EDITOR_FILES } from '@repoless/core/go-live/gate.ts';
import { type Repository, codeChoice } from '@repoless/core/situation/code-choice.ts';
import type { FileProbe, Situation } from '@repoless/core/situation/situation.ts';
import { statusOf } from './code.ts';
import { TEMPORARY } from './refusals.ts';
import { organizationOf } from './rules.ts';

const Packed = z.object({ common: StoredFinding.shape.data, own: z.array(StoredFinding) });

/** Findings at a site without the authoring system, and their author. */
const OutsideCheck = z.object({
  site: z.string(),
  at: z.iso.datetime(),
  by: z.string(),
  /** When the site was last written, by anyone; absent if unknown. */
  written: z.iso.datetime().optional(),
  findings: Packed.transform(unpackFindings),
});
export type OutsideCheck = z.output<typeof OutsideCheck>;
type StoredOutsideCheck = z.input<typeof OutsideCheck>;

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
  const current = call.checks.get(org);
  if (current !== undefined) return { running: { ...current }, joined: true };
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
  const check = async (site: string): Promise<void> => {
    const now = call.options.now();
    const ends = call.credential?.expires;
    if (ends !== undefined && ends * 1000 - now.getTime() < MARGIN) return stop.abort();
    const own: Call = { ...call, method: 'GET', params: { org, site }, query: {}, body: undefined };
    const current = await load(own, SITE).catch((error: unknown) => {
      if (error instanceof Refusal && error.code === 'NOT_AUTHORIZED') return undefined;
      throw error;
    });
    if (current !== undefined) {
      const findings = await checkOneSite(own, current.shown, `check ${running.since}`);
      const written = isoTime(current.raw['lastModified']);
      const stored = { site, at: now.toISOString(), by: callerName(call), ...(written === undefined ? {} : { written }) };
      await call.options.store.put('outside-check', org, site, {
        ...stored,
        findings: packFindings(findings.filter(isSeen)),
      } satisfies StoredOutsideCheck);
    }
    running.done += 1;
  };
  const checkOrStop = async (site: string) =>
    check(site).catch((error: unknown) => {
      stop.abort();
      throw error;
    });
  await mapConcurrently(names, SITE_CONCURRENCY, checkOrStop, stop.signal);
}

export async function storedCheckOf({ options, params }: Call, site: string): Promise<OutsideCheck | undefined> {
  return OutsideCheck.safeParse(await options.store.get('outside-check', params['org'] ?? '', site)).data;
}

export async function storedChecksOf(store: Pick<Store, 'list'>, org: string): Promise<ReadonlyMap<string, OutsideCheck>> {
  const stored = await store.list('outside-check', org);
  return new Map(stored.flatMap((value) => OutsideCheck.safeParse(value).data ?? []).map((check) => [check.site, check]));
}

/**
 * Findings at a site as the caller may read it: its configuration, the last sync of its repository, and the files that its preview host
 * serves. `config.json` of the hosts is not checked, because it follows a write within minutes. Checks with the same `round` read shared
 * data (profile, repository) once.
 */
export async function checkOneSite(call: Call, shown: Raw, round: string): Promise<StoredFinding[]> {
  const { org = '', site = '' } = call.params;
  const { info } = call.options;
  const hosts = { protocol: info.protocol, preview: info.previewDomain, live: info.liveDomain };
  // Safe: it was fitted to the schema of a site.
  const own = shown as unknown as Site;
  const config = await withProfile(call, own, round);
  const code = codeChoice(config.code);
  const [organization, seen, stored] = await Promise.all([
    organizationOf(call),
    code === undefined
      ? undefined
      : call.cached(`${round} code ${code.owner}/${code.repo}`, () => codeOf(call, code, previewOf(hosts, org, site))),
    authoringCheckOf(call, site),
  ]);
  const preview = previewOf(hosts, org, site);
  const { environment } = stored?.found ?? {};
  return checkFromWithin({
    info,
    hosts,
    org,
    site,
    organization: organization === undefined ? UNREAD : { state: 'known', value: organization },
    stored: { config, own, etag: '', version: 0 },
    technicalAccount: environment?.author === authorOf(config) ? environment.technicalAccount : undefined,
    secret: UNREAD,
    ...(seen === undefined ? {} : { codeSync: seen.sync }),
    files: (seen?.files ?? []).map(({ path, status }) => ({ path, address: `${preview}${path}`, status })),
  });
}

async function withProfile(call: Call, site: Site, round: string): Promise<Site> {
  const { org = '' } = call.params;
  const profile = extendedProfile(site);
  if (profile === undefined) return site;
  const found = await call.cached(`${round} profile ${org}/${profile}`, () =>
    unlessRefused(load({ ...call, params: { org, profile } }, PROFILE)),
  );
  // Safe: it was fitted to the schema of a profile.
  return aggregateSite(site, found?.shown as unknown as Profile | undefined);
}

interface SeenCode {
  readonly sync: NonNullable<Situation['codeSync']>;
  readonly files: readonly Pick<FileProbe, 'path' | 'status'>[];
}

/** Sites of the same repository serve the same code: one of them is probed. */
async function codeOf(call: Call, { type, owner, repo }: Repository, preview: string): Promise<SeenCode> {
  const onMain = { ...call, params: { ...call.params, ref: DEFAULT_REF } };
  const status = await unlessRefused(statusOf(onMain, { owner, repo, isExternal: type === 'byogit' }));
  const files = await Promise.all(EDITOR_FILES.map(async (path) => ({ path, status: await served(call, preview, path) })));
  return { sync: status === undefined ? UNREAD : { state: 'known', value: status }, files };
}

/** Without the caller's credential, which is for the hosted service only. */
async function served(call: Call, base: string, path: string): Promise<FileProbe['status']> {
  const { options } = call;
  const response = options.fetchHosted({ method: 'GET', base, path, org: options.info.previewDomain, caller: callerKey(call) });
  return await response.then(
    ({ status }) => status,
    () => 'unreachable',
  );
}

/** What the caller may not read is not evaluated. */
async function unlessRefused<T>(reading: Promise<T>): Promise<T | undefined> {
  return await reading.catch((error: unknown) => {
    if (error instanceof Refusal && ![...TEMPORARY, 'NOT_AUTHENTICATED'].includes(error.code)) return undefined;
    throw error;
  });
}

/** The findings of a caller who could read the authoring system. */
export const AuthoringCheck = z.object({ site: z.string(), at: z.iso.datetime(), by: z.string(), found: SiteCheckInput });

export type AuthoringCheck = z.infer<typeof AuthoringCheck>;

export async function authoringCheckOf(call: Call, site: string): Promise<AuthoringCheck | undefined> {
  return AuthoringCheck.safeParse(await call.options.store.get('check', call.params['org'] ?? '', site)).data;
}
