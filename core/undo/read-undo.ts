import type { EdgeConfiguration } from '@repoless/contract/authoring.ts';
import type { Site } from '@repoless/contract/site.ts';
import { sameValue } from '@repoless/contract/json.ts';
import { withoutServerFields } from '../plan/desired-site.ts';
import type { Undoes } from '../plan/plan.ts';
import type { SetupPorts } from '../plan/ports.ts';
import { hasNoOrganization } from '../run/failures.ts';
import { dependentsOf } from '../sites/organization-sites.ts';
import { EDGE_PROPERTY } from '../situation/edge-configuration.ts';
import type { Known, Leaving, Previous, Situation } from '../situation/situation.ts';
import { planUndo } from './plan-undo.ts';

/**
 * The situation with what an undo has to know besides: where it removes the site, which sites depend on it and what is deleted with
 * it; and what the service says to the write that it makes, by a dry run. Changes nothing.
 */
export async function readLeaving(ports: SetupPorts, situation: Situation): Promise<Situation> {
  const { previous } = situation.settings;
  if (previous === undefined) return situation;
  const removes = previous.siteVersion === null && situation.site.state === 'known';
  const whole = removes ? { ...situation, leaving: await leavingOf(ports, previous) } : situation;
  const call = planUndo(whole).steps.find(({ id }) => id === 'register-site')?.call;
  return call === undefined ? whole : { ...whole, undoDryRun: { call, answer: await ports.service.dryRun(call) } };
}

async function leavingOf({ service }: SetupPorts, { org, site }: { readonly org: string; readonly site: string }): Promise<Leaving> {
  const [sites, secrets, apiKeys] = await Promise.all([
    service.allSites(org),
    service.removal.secrets(org, site),
    service.removal.apiKeys(org, site),
  ]);
  // Callers with a role on this site only may not list the others.
  const isUnlisted = hasNoOrganization(sites);
  if (sites.state === 'failed' && !isUnlisted) return sites;
  for (const read of [secrets, apiKeys]) if (read.state === 'failed') return read;
  const listed = sites.state === 'known' ? sites.value : [];
  const dependents = dependentsOf(listed)(site, new Set(listed.map(({ name }) => name)));
  return {
    state: 'known',
    value: {
      ...(dependents === undefined ? {} : { dependents }),
      ...(isUnlisted ? { isUnlisted } : {}),
      secrets: secrets.state === 'known' ? secrets.value : [],
      apiKeys: apiKeys.state === 'known' ? apiKeys.value : [],
    },
  };
}

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
