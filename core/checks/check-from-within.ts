import { defined } from '@repoless/contract/json.ts';
import { configAddress, type HostDomains, parseDeliveryAddress, siteAddress, type Tier } from '@repoless/contract/addresses.ts';
import { contentRoot } from '@repoless/contract/mappings.ts';
import { DEFAULT_REF } from '@repoless/contract/names.ts';
import { EVALUATED_BY, type StoredFinding } from '@repoless/contract/site-check.ts';
import type { PublicConfig, Site } from '@repoless/contract/site.ts';
import type { Failure, Known } from '../situation/call.ts';
import type { AuthoringSettings, ConfigProbe, FileProbe, Setting, Situation } from '../situation/situation.ts';
import { checkSite } from './check-site.ts';
import type { Finding } from './finding.ts';

/** A site as seen by a service that does not read the authoring system. */
export interface SeenSite extends Pick<Situation, 'info' | 'secret' | 'codeSync'> {
  readonly hosts: HostDomains;
  readonly org: string;
  readonly site: string;
  readonly organization: Situation['organization'];
  /** The effective configuration of the site, and its own. */
  readonly stored: { readonly config: Site; readonly own: Site; readonly etag: string; readonly version: number };
  /** Its hosts' answer as `config.json`; absent if it was not read. */
  readonly published?: { readonly value: PublicConfig | undefined };
  readonly technicalAccount: string | undefined;
  readonly files: readonly FileProbe[];
}

/** The findings for a site without the authoring system. What cannot be checked is unknown. */
export function checkFromWithin(seen: SeenSite): StoredFinding[] {
  return checkSite(innerSituation(seen)).map(toStoredFinding);
}

function toStoredFinding({ check, verdict, variant, data, evidence }: Finding): StoredFinding {
  const shortened = Object.fromEntries(Object.entries(data).map(([name, value]) => [name, short(value)]));
  // There is no caller, and the authoring system is not read.
  if (['caller', 'authoring'].includes(EVALUATED_BY[check])) return { check, verdict: 'unknown', data: shortened };
  return {
    check,
    verdict,
    ...(variant === undefined ? {} : { variant }),
    data: shortened,
    ...(evidence === undefined ? {} : { evidence: { request: short(evidence.request), answer: short(evidence.answer) } }),
  };
}

function short(text: string): string {
  return text.slice(0, LONGEST);
}

const LONGEST = 2000;

/** Makes no requests: settings of the authoring system are derived from the site, or missing. */
function innerSituation(seen: SeenSite): Situation {
  const { info, hosts, org, site, organization, stored, published, technicalAccount, secret, codeSync, files } = seen;
  const settings = impliedSettings(org, site, stored.config);
  const probe = (tier: Tier, { value }: NonNullable<SeenSite['published']>): ConfigProbe => ({
    address: configAddress(hosts, tier, org, site),
    ...(value === undefined
      ? { status: 404, answer: { state: 'missing' } as const }
      : { status: 200, answer: { state: 'known', value } as const }),
  });
  return {
    info,
    settings:
      technicalAccount === undefined
        ? settings
        : { ...settings, technicalAccount: { value: technicalAccount, source: { kind: 'derived' } } },
    profile: UNREAD,
    target: { organization: org, siteName: site },
    organization,
    site: { state: 'known', value: stored },
    ...defined({ secret, codeSync }),
    configurationPage: UNREAD,
    ...(published === undefined ? {} : { preview: probe('preview', published), live: probe('live', published) }),
    files: [...files],
  };
}

export function previewOf(hosts: HostDomains, org: string, site: string): string {
  return siteAddress(hosts, 'preview', { ref: DEFAULT_REF, site, org });
}

/** The authoring system of a site, from the address of its content; empty if that is not a delivery address. */
export function authorOf({ content }: Pick<Site, 'content'>): string {
  return parseDeliveryAddress(content?.source.url ?? '')?.author ?? '';
}

function impliedSettings(organization: string, siteName: string, site: Site): AuthoringSettings {
  const siteRoot = contentRoot(site.public?.paths?.mappings ?? []) ?? '';
  return {
    author: authorOf(site),
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

const MISSING: Setting = { source: { kind: 'missing' } };
export const UNREAD: Known<never> & { readonly failure: Failure } = { state: 'failed', failure: { kind: 'unexpected' } };
