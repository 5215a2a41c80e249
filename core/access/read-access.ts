import { Org, type OrgUser } from '@repoless/contract/org.ts';
import type { Profile } from '@repoless/contract/session.ts';
import type { Site } from '@repoless/contract/site.ts';
import type { Failure, Known } from '../situation/call.ts';
import type { ServicePort } from '../situation/ports.ts';
import { type Base, organizationKind, roleLists, type RoleLists, siteAccessKind } from './access-kind.ts';
import { mayChange } from './change-access.ts';
import { type GroupScope, namesOf } from './groups.ts';

type Service = Pick<ServicePort, 'stored' | 'effective' | 'configuration' | 'organization' | 'profile' | 'dryRun' | 'send' | 'history'>;

interface Read {
  readonly base: Base;
  /** The signed-in person's names in lists, and the name to show. */
  readonly caller: readonly string[];
  readonly email: string;
  /** Why the caller may only read. */
  readonly refused?: Failure;
}

export interface SiteAccessRead extends Read {
  readonly scope: GroupScope;
  /** Users of the organization, whose roles also apply here; absent if the caller may not read them. */
  readonly users: readonly OrgUser[] | undefined;
  /** The profile that the site extends, by name or by default, and the lists that are effective through it. */
  readonly profile?: { readonly name: string; readonly roles: RoleLists };
}

export type OrganizationRead = Read;

/** Reads who has access to a site, and why. Missing if there is no such site. */
export async function readSiteAccess(service: Service, organization: string, site: string): Promise<Known<SiteAccessRead>> {
  const kind = siteAccessKind(organization, site);
  const [stored, configuration, org, profile] = await Promise.all([
    service.stored(kind.address),
    service.configuration(organization, site),
    service.organization(organization),
    service.profile(),
  ]);
  if (stored.state === 'failed') return stored;
  if (configuration.state !== 'known') return configuration;
  const { config } = configuration.value;
  const base: Base = stored.state === 'known' ? stored.value : { value: undefined, etag: undefined };
  const [refused, aggregate] = await Promise.all([mayChange(service, kind, base), readAggregate(service, organization, site, config)]);
  const name = aggregate?.extends?.profile ?? config.extends?.profile;
  const known = org.state === 'known' ? org.value : undefined;
  return {
    state: 'known',
    value: {
      base,
      ...callerOf(profile),
      ...(refused === undefined ? {} : { refused }),
      scope: { site: aggregate?.groups ?? config.groups ?? {}, organization: known === undefined ? undefined : (known.groups ?? {}) },
      users: known?.users,
      ...(name === undefined ? {} : { profile: { name, roles: roleLists(aggregate?.access?.admin?.role ?? {}) } }),
    },
  };
}

/** Reads the users and groups of an organization. Missing if it is not claimed. */
export async function readOrganization(service: Service, organization: string): Promise<Known<OrganizationRead>> {
  const kind = organizationKind(organization);
  const [stored, profile] = await Promise.all([service.stored(kind.address), service.profile()]);
  if (stored.state !== 'known') return stored;
  if (!Org.safeParse(stored.value.value).success) return { state: 'failed', failure: { kind: 'unexpected' } };
  const refused = await mayChange(service, kind, stored.value);
  return { state: 'known', value: { base: stored.value, ...callerOf(profile), ...(refused === undefined ? {} : { refused }) } };
}

function callerOf(profile: Known<Profile>): Pick<Read, 'caller' | 'email'> {
  return profile.state === 'known' ? { caller: namesOf(profile.value), email: profile.value.email } : { caller: [], email: '' };
}

/**
 * The effective configuration of a site. Its administrators may read its profile through it. Undefined if it extends nothing, or cannot be
 * read.
 */
export async function readAggregate(
  service: Pick<ServicePort, 'effective'>,
  organization: string,
  site: string,
  own: Pick<Site, 'extends'>,
): Promise<Site | undefined> {
  // A site without `extends` extends the default profile of its organization, if there is one.
  if (own.extends !== undefined && own.extends.profile === undefined) return undefined;
  const effective = await service.effective(organization, site);
  return effective.state === 'known' ? effective.value : undefined;
}
