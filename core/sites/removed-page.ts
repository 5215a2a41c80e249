import type { ServiceInfo } from '@repoless/contract/service.ts';
import type { AuthoringPort } from '../plan/ports.ts';
import type { Failure, Known } from '../situation/situation.ts';
import type { OrganizationSite } from './organization-sites.ts';

/** What becomes of a site's page, its content root, when the site is removed. */
export type RemovedPage =
  /** A locale's page selects no configuration of its own any more, and inherits that of the site above. */
  | { readonly kind: 'inherits'; readonly page: string; readonly cloudConfiguration?: string }
  /** It stands by itself and is left as it is: with `repoless` it goes on naming a site that is gone. */
  | { readonly kind: 'kept'; readonly page: string; readonly repoless: boolean }
  | { readonly kind: 'gone'; readonly page: string }
  | { readonly kind: 'unread'; readonly page: string; readonly failure: Failure }
  /** The site maps no page to its root. */
  | { readonly kind: 'none' };

/** Reads what a removal means for the page of a site, at the author that its content comes from. Changes nothing. */
export async function removedPage(
  authoring: Pick<AuthoringPort, 'content' | 'edgeConfiguration'>,
  { name, base, contentRoot: page }: OrganizationSite,
  info: Pick<ServiceInfo, 'repolessProjectType'>,
): Promise<RemovedPage> {
  if (page === undefined) return { kind: 'none' };
  const content = await authoring.content(page);
  if (content.state === 'failed') return { kind: 'unread', page, failure: content.failure };
  if (content.state === 'missing') return { kind: 'gone', page };
  const { ownConfiguration } = content.value;
  if (base !== undefined)
    return { kind: 'inherits', page, ...(ownConfiguration === undefined ? {} : { cloudConfiguration: ownConfiguration }) };
  const edge = ownConfiguration === undefined ? MISSING : await authoring.edgeConfiguration(ownConfiguration);
  if (edge.state === 'failed') return { kind: 'unread', page, failure: edge.failure };
  const repoless = edge.state === 'known' && edge.value.projectType === info.repolessProjectType && edge.value.repo === name;
  return { kind: 'kept', page, repoless };
}

const MISSING: Known<never> = { state: 'missing' };
