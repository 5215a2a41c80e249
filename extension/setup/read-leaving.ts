import type { SetupPorts } from './ports.ts';
import type { Leaving, Situation } from './situation.ts';
import { dependentsOf } from './sites/dependents-of.ts';

/**
 * The situation with what an undo that removes the site has to know besides: which sites depend on it, and what is deleted with
 * it. The same situation where the undo removes none. Changes nothing.
 */
export async function readLeaving(ports: SetupPorts, situation: Situation): Promise<Situation> {
  const { previous } = situation.settings;
  if (previous?.siteVersion !== null || situation.site.state !== 'known') return situation;
  return { ...situation, leaving: await leavingOf(ports, previous) };
}

async function leavingOf({ service }: SetupPorts, { org, site }: { readonly org: string; readonly site: string }): Promise<Leaving> {
  const [sites, secrets, apiKeys] = await Promise.all([
    service.allSites(org),
    service.removal.secrets(org, site),
    service.removal.apiKeys(org, site),
  ]);
  for (const read of [sites, secrets, apiKeys]) if (read.state === 'failed') return read;
  const listed = sites.state === 'known' ? sites.value : [];
  const dependents = dependentsOf(listed)(site, new Set(listed.map(({ name }) => name)));
  return {
    state: 'known',
    value: {
      ...(dependents === undefined ? {} : { dependents }),
      secrets: secrets.state === 'known' ? secrets.value : [],
      apiKeys: apiKeys.state === 'known' ? apiKeys.value : [],
    },
  };
}
