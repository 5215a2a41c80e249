import { aggregateSite, extendedProfile } from '@repoless/contract/aggregate-site.ts';
import { DEFAULT_REF } from '@repoless/contract/names.ts';
import { Refusal } from '@repoless/contract/refusal.ts';
import { type StoredFinding, SiteCheckInput } from '@repoless/contract/site-check.ts';
import type { Profile, Site } from '@repoless/contract/site.ts';
import { authorOf, checkFromWithin, previewOf, UNREAD } from '@repoless/core/checks/check-from-within.ts';
import { EDITOR_FILES } from '@repoless/core/go-live/gate.ts';
import { codeChoice } from '@repoless/core/plan/choices.ts';
import type { FileProbe, Situation } from '@repoless/core/situation/situation.ts';
import { callerKey, type Call } from './call.ts';
import { statusOf } from './code.ts';
import { load, PROFILE } from './document.ts';
import type { Raw } from './documents.ts';
import { organizationOf } from './people.ts';
import { z } from 'zod';

/**
 * Findings at a site as the caller may read it: its configuration, the last sync of its repository, and the files that its preview host
 * serves. `config.json` of the hosts is not checked, because it follows a write within minutes. Checks with the same `during` read shared
 * data (profile, repository) once.
 */
export async function checkOneSite(call: Call, shown: Raw, during: string): Promise<StoredFinding[]> {
  const { org = '', site = '' } = call.params;
  const { info } = call.options;
  const hosts = { protocol: info.protocol, preview: info.previewDomain, live: info.liveDomain };
  // Safe: it was fitted to the schema of a site.
  const own = shown as unknown as Site;
  const config = await withProfile(call, own, during);
  const code = codeChoice(config.code);
  const [organization, seen, kept] = await Promise.all([
    organizationOf(call),
    code === undefined
      ? undefined
      : call.remembered(`${during} code ${code.owner}/${code.repo}`, () => codeOf(call, previewOf(hosts, org, site))),
    authoringCheckOf(call, site),
  ]);
  const preview = previewOf(hosts, org, site);
  const { environment } = kept?.found ?? {};
  return checkFromWithin({
    info,
    hosts,
    org,
    site,
    organization: organization === undefined ? UNREAD : { state: 'known', value: organization },
    held: { config, own, etag: '', version: 0 },
    technicalAccount: environment?.author === authorOf(config) ? environment.technicalAccount : undefined,
    secret: UNREAD,
    ...(seen === undefined ? {} : { codeSync: seen.sync }),
    files: (seen?.files ?? []).map(({ path, status }) => ({ path, address: `${preview}${path}`, status })),
  });
}

async function withProfile(call: Call, site: Site, during: string): Promise<Site> {
  const { org = '' } = call.params;
  const profile = extendedProfile(site);
  if (profile === undefined) return site;
  const found = await call.remembered(`${during} profile ${org}/${profile}`, () =>
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
async function codeOf(call: Call, preview: string): Promise<SeenCode> {
  const status = await unlessRefused(statusOf({ ...call, params: { ...call.params, ref: DEFAULT_REF } }));
  const files = await Promise.all(EDITOR_FILES.map(async (path) => ({ path, status: await served(call, preview, path) })));
  return { sync: status === undefined ? UNREAD : { state: 'known', value: status }, files };
}

/** Without the caller's credential, which is for the hosted service only. */
async function served(call: Call, base: string, path: string): Promise<FileProbe['status']> {
  const { options } = call;
  const asked = options.ask({ method: 'GET', base, path, org: options.info.previewDomain, caller: callerKey(call) });
  return await asked.then(
    ({ status }) => status,
    () => 'unreachable',
  );
}

/** What the caller may not read is not evaluated. */
async function unlessRefused<T>(reading: Promise<T>): Promise<T | undefined> {
  return await reading.catch((error: unknown) => {
    if (error instanceof Refusal && !['HOSTED_UNREACHABLE', 'RATE_LIMITED', 'NOT_AUTHENTICATED'].includes(error.code)) return undefined;
    throw error;
  });
}

/** The findings of a caller who could read the authoring system. */
export const AuthoringCheck = z.object({ site: z.string(), at: z.iso.datetime(), by: z.string(), found: SiteCheckInput });

export type AuthoringCheck = z.infer<typeof AuthoringCheck>;

/** The newest stored check. */
export async function authoringCheckOf(call: Call, site: string): Promise<AuthoringCheck | undefined> {
  return AuthoringCheck.safeParse(await call.options.store.get('check', call.params['org'] ?? '', site)).data;
}
