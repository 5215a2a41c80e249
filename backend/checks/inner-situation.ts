import { configAddress, parseDeliveryAddress, siteAddress } from '@repoless/contract/addresses.ts';
import type { HostDomains, Tier } from '@repoless/contract/addresses.ts';
import { contentRoot } from '@repoless/contract/mappings.ts';
import { DEFAULT_REF } from '@repoless/contract/names.ts';
import { REPOSITORY_SECRET } from '@repoless/contract/secret.ts';
import type { ServiceInfo } from '@repoless/contract/service.ts';
import type { Site } from '@repoless/contract/site.ts';
import { originOf } from '../code/rules/code-origin.ts';
import type { Reads, StoredOrg, StoredSite } from '../domain/ports.ts';
import { namedSecret } from '../secrets/read-secrets.ts';
import { secretInfo } from '../secrets/stored-secret.ts';
import type { AuthoringSettings, Setting } from '@repoless/core/situation/settings.ts';
import type { ConfigProbe, Failure, FileProbe, Known, Situation } from '@repoless/core/situation/situation.ts';
import { codeChoice } from '@repoless/core/plan/propose-choices.ts';
import type { CodeProbe } from './code-probe.ts';

export interface SituationSources {
  readonly reads: Reads;
  readonly info: ServiceInfo;
  readonly hosts: HostDomains;
  readonly code: CodeProbe;
}

/**
 * A site as the service sees it from within, with the effective configuration. It makes no request: settings of the authoring system are derived
 * from the site, or missing.
 */
export async function innerSituation(sources: SituationSources, { org, config: ofOrg }: StoredOrg, stored: StoredSite): Promise<Situation> {
  const { reads, info, hosts, code } = sources;
  const { site, config, aggregate, etag, version } = stored;
  const origin = originOf(org, aggregate.code);
  const [published, seen, secret] = await Promise.all([
    reads.publicConfig(org, site),
    origin === undefined ? undefined : code(origin),
    codeChoice(aggregate.code)?.type === 'byogit' ? reads.secret(org, site, REPOSITORY_SECRET) : undefined,
  ]);
  const held = secret === undefined ? namedSecret(aggregate, REPOSITORY_SECRET) : secretInfo(secret);
  const probe = (tier: Tier): ConfigProbe => ({
    address: configAddress(hosts, tier, org, site),
    ...(published === undefined
      ? { status: 404, answer: { state: 'missing' } as const }
      : { status: 200, answer: { state: 'known', value: publicPart(published.json) } as const }),
  });
  return {
    info,
    settings: impliedSettings(org, site, aggregate),
    profile: UNREAD,
    target: { organization: org, siteName: site },
    organization: { state: 'known', value: { name: ofOrg.name, users: ofOrg.users, groups: ofOrg.groups } },
    site: { state: 'known', value: { config: aggregate, own: config, etag, version } },
    secret: held === undefined ? { state: 'missing' } : { state: 'known', value: held },
    ...(seen === undefined ? {} : { codeSync: seen.sync }),
    configurationPage: UNREAD,
    preview: probe('preview'),
    live: probe('live'),
    files: seen === undefined ? [] : filesOf(seen.files, previewOf(hosts, org, site), `${info.codeHost}/${seen.repository}`),
  };
}

/** A file that the host serves lies in the repository, at the commit that was synchronised last. */
function filesOf(files: ReadonlyMap<string, boolean>, preview: string, repository: string): FileProbe[] {
  return [preview, repository].flatMap((place) =>
    [...files].map(([path, isThere]) => ({ path, address: `${place}${path}`, status: isThere ? 200 : 404 })),
  );
}

function previewOf(hosts: HostDomains, org: string, site: string): string {
  return siteAddress(hosts, 'preview', { ref: DEFAULT_REF, site, org });
}

function impliedSettings(organization: string, siteName: string, { content, public: open }: Site): AuthoringSettings {
  const siteRoot = contentRoot(open?.paths?.mappings ?? []) ?? '';
  const author = parseDeliveryAddress(content?.source.url ?? '')?.author ?? '';
  return {
    author,
    page: siteRoot,
    siteRoot,
    projectType: MISSING,
    organization: { value: organization, source: { kind: 'derived' } },
    siteName: { value: siteName, source: { kind: 'derived' } },
    configurationPage: MISSING,
    technicalAccount: MISSING,
    cloudConfiguration: MISSING,
    deliveryAddress: MISSING,
  };
}

// Safe: the bytes were made of the public part of a site that passed its schema, and fit their etag.
function publicPart(json: string): NonNullable<Site['public']> {
  return (JSON.parse(json) as { public: NonNullable<Site['public']> }).public;
}

const MISSING: Setting = { source: { kind: 'missing' } };
const UNREAD: Known<never> & { readonly failure: Failure } = { state: 'failed', failure: { kind: 'unexpected' } };
