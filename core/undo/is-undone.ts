import type { EdgeConfiguration } from '@repoless/contract/authoring.ts';
import type { Site } from '@repoless/contract/site.ts';
import { EDGE_PROPERTY } from '../situation/edge-configuration.ts';
import { withoutServerFields } from '../plan/desired-site.ts';
import type { Undoes } from '../plan/plan.ts';
import type { SetupPorts } from '../plan/ports.ts';
import { sameValue } from '@repoless/contract/same-value.ts';
import type { Previous } from '../situation/settings.ts';
import type { Known } from '../situation/situation.ts';

/**
 * Whether everything that an undo shows is as its record says, whoever restored it: the Edge Delivery configuration, the site, and the pages that
 * setup created. What cannot be read doesn't count.
 */
export async function isUndone({ service, authoring }: SetupPorts, { configuration, record }: Undoes): Promise<boolean> {
  const { org, site, siteVersion, configurationPages = [] } = record;
  const [edge, stored, version, ...pages] = await Promise.all([
    authoring.edgeConfiguration(configuration),
    service.configuration(org, site),
    siteVersion === null ? ({ state: 'missing' } as const) : service.version(org, site, siteVersion),
    ...configurationPages.map((path) => authoring.page(path)),
  ]);
  return isConfigurationBack(edge, record) && isSiteBack(stored, version, siteVersion) && pages.every(({ state }) => state === 'missing');
}

function isConfigurationBack(edge: Known<EdgeConfiguration>, record: Previous): boolean {
  if (edge.state !== 'known') return edge.state === 'missing' && record.configuration?.created !== undefined;
  const fields = ['projectType', 'organization', 'siteName'] as const;
  return fields.every((field) => {
    const value = edge.value[EDGE_PROPERTY[field]];
    return (value === '' || value === undefined ? null : value) === record[field];
  });
}

function isSiteBack(stored: Known<{ config: Site }>, version: Known<Site>, before: number | null): boolean {
  if (before === null) return stored.state === 'missing';
  if (stored.state !== 'known' || version.state !== 'known') return false;
  return sameValue(withoutServerFields(stored.value.config), withoutServerFields(version.value));
}
