import { sameValue } from '@repoless/contract/json.ts';
import { Site } from '@repoless/contract/site.ts';
import type { Held } from '../access/access-kind.ts';
import { mayChange } from '../access/change-access.ts';
import { at, isObject, keysOf } from '../history/json-place.ts';
import type { ServicePort } from '../plan/ports.ts';
import { readAggregate } from '../situation/read-aggregate.ts';
import type { Failure, Known } from '../situation/situation.ts';
import { type ConfigurationDraft, configurationKind, draftOf, SECTIONS } from './configuration-kind.ts';

type Service = Pick<ServicePort, 'stored' | 'dryRun' | 'send' | 'history'>;

/** Values that a site inherits from its profile. */
export interface Inherited {
  readonly profile: string;
  readonly values: ConfigurationDraft;
}

export interface ConfigurationRead {
  readonly held: Held;
  readonly inherited?: Inherited;
  /** Why the caller may only read. */
  readonly refused?: Failure;
}

/** Reads the edited parts of a site and the values that it inherits. Missing if there is no such site. */
export async function readConfiguration(service: Service, organization: string, site: string): Promise<Known<ConfigurationRead>> {
  const kind = configurationKind(organization, site);
  const held = await service.stored(kind.address);
  if (held.state !== 'known') return held;
  const config = Site.safeParse(held.value.value).data;
  if (config === undefined) return { state: 'failed', failure: { kind: 'unexpected' } };
  const [refused, aggregate] = await Promise.all([
    mayChange(service, kind, held.value),
    readAggregate(service, organization, site, config),
  ]);
  const profile = aggregate?.extends?.profile;
  const values = draftOf(Object.fromEntries(SECTIONS.map((name) => [name, inheritedOf(at(config, name), at(aggregate, name))])));
  return {
    state: 'known',
    value: {
      held: held.value,
      ...(profile === undefined || Object.keys(values).length === 0 ? {} : { inherited: { profile, values } }),
      ...(refused === undefined ? {} : { refused }),
    },
  };
}

/**
 * What holds for a site and is not its own: it comes from the profile. In: a value of the site, and the same place of what holds for it.
 * Out: undefined where nothing does. Objects are laid over each other, and the headers of a path are united (docs/contract.md 3.12).
 */
export function inheritedOf(own: unknown, aggregate: unknown): unknown {
  if (own === undefined) return aggregate;
  if (isObject(own) && isObject(aggregate)) {
    const entries = keysOf(aggregate)
      .map((key) => [key, inheritedOf(at(own, key), at(aggregate, key))] as const)
      .filter(([, value]) => value !== undefined);
    return entries.length === 0 ? undefined : Object.fromEntries(entries);
  }
  // Of two lists that are no union the site's own is all that holds.
  if (!Array.isArray(own) || !Array.isArray(aggregate) || aggregate.length <= own.length) return undefined;
  return aggregate.filter((entry) => !own.some((mine) => sameValue(mine, entry)));
}
