import type { Held } from '../access/access-kind.ts';
import { mayChange } from '../access/change-access.ts';
import { Site } from '@repoless/contract/site.ts';
import { at } from '../history/json-place.ts';
import type { ServicePort } from '../plan/ports.ts';
import { readAggregate } from '../situation/read-aggregate.ts';
import type { Failure, Known } from '../situation/situation.ts';
import { configurationKind, draftOf } from './configuration-kind.ts';
import type { ConfigurationDraft } from './configuration-kind.ts';
import { inheritedOf } from './inherited.ts';
import { SECTIONS } from './sections.ts';

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
