import { hasNoOrganization } from './has-no-organization.ts';
import { planUndo } from '../undo/plan-undo.ts';
import type { SetupPorts } from '../plan/ports.ts';
import type { Leaving, Situation } from './situation.ts';
import { dependentsOf } from '../sites/dependents-of.ts';

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
