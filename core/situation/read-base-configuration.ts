import type { EdgeConfiguration } from '@repoless/contract/authoring.ts';
import { codeChoice } from '../plan/propose-choices.ts';
import type { SetupPorts } from '../plan/ports.ts';
import type { Situation } from './situation.ts';
import { rootOnAuthor } from '../sites/site-index.ts';

/** Sites whose configuration is looked for, the likeliest first. */
const CANDIDATES = 3;

/**
 * What a configuration that has to be made begins with: the one that is in force from above, else that of another site of the
 * organization on the same author, the base site first. Undefined where none is needed, or none is found.
 */
export async function readBaseConfiguration(ports: SetupPorts, situation: Situation): Promise<EdgeConfiguration | undefined> {
  const { settings, target, organization } = situation;
  if (settings.newConfiguration === undefined || target === undefined) return undefined;
  const above = [settings.organization, settings.siteName, settings.projectType].map(({ source }) => source);
  const inherited = above.find((source) => source.kind === 'inherited');
  if (inherited !== undefined) return configurationAt(ports, inherited.from);
  if (organization.state !== 'known') return undefined;
  const sites = await ports.service.sites(target.organization);
  if (sites.state !== 'known') return undefined;
  const candidates = sites.value.sites
    .filter((site) => rootOnAuthor(site, settings.author) !== undefined)
    .toSorted((one, other) => Number(isBase(other)) - Number(isBase(one)))
    .slice(0, CANDIDATES);
  for (const site of candidates) {
    const page = await ports.authoring.content(rootOnAuthor(site, settings.author) ?? '');
    const conf = page.state === 'known' ? page.value.ownConfiguration : undefined;
    const found = conf === undefined ? undefined : await configurationAt(ports, conf);
    if (found !== undefined) return found;
  }
  return undefined;
}

async function configurationAt({ authoring }: SetupPorts, conf: string): Promise<EdgeConfiguration | undefined> {
  const found = await authoring.edgeConfiguration(conf);
  return found.state === 'known' ? found.value : undefined;
}

/** The base site has the name of its repository, in letters that a site may have. */
function isBase({ name, code }: { readonly name: string; readonly code?: Parameters<typeof codeChoice>[0] }): boolean {
  return codeChoice(code)?.repo.toLowerCase() === name.toLowerCase();
}
