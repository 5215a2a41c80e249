import type { Site } from '@repoless/contract/site.ts';
import type { ServicePort } from '../plan/ports.ts';

/** The effective configuration of a site. Its administrators may read its profile through it. Undefined if it extends nothing, or cannot be read. */
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
