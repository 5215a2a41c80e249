import type { Site } from '@repoless/contract/site.ts';
import type { ServicePort } from '../plan/ports.ts';

/**
 * What holds for a site: its own configuration over its profile's, which its administrators may read through it. Undefined where it extends
 * nothing, or cannot be read.
 */
export async function readAggregate(
  service: Pick<ServicePort, 'effective'>,
  organization: string,
  site: string,
  own: Pick<Site, 'extends'>,
): Promise<Site | undefined> {
  // A site that says nothing about it extends the default profile of its organization, where there is one.
  if (own.extends !== undefined && own.extends.profile === undefined) return undefined;
  const effective = await service.effective(organization, site);
  return effective.state === 'known' ? effective.value : undefined;
}
