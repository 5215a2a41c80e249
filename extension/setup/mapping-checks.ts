import { createInclusion } from '#contract/content-paths.ts';
import { CONFIGURATION_PATH, contentRoot, parseMapping } from '#contract/mappings.ts';
import type { Site } from '#contract/site.ts';
import { findingOf } from './check-data.ts';
import { mappedPage } from './mapped-page.ts';
import type { Finding } from './findings.ts';
import type { Situation } from './situation.ts';

/** Checks of the path mappings of a site. */
export function mappingChecks(situation: Situation, site: Site | undefined): Finding[] {
  return [siteRootMapping(situation, site), configurationMapping(situation, site)];
}

function siteRootMapping(situation: Situation, site: Site | undefined): Finding {
  const finding = findingOf(situation);
  if (site === undefined) return finding('mapping-site-root', 'unknown');
  const mappings = site.public?.paths?.mappings ?? [];
  const { includes } = site.public?.paths ?? {};
  const { siteRoot } = situation.settings;
  const root = contentRoot(mappings);
  const data = { root: root ?? '', mappings: mappings.join(', '), includes: includes?.join(', ') ?? '' };
  if (root === undefined) return finding('mapping-site-root', 'wrong', { variant: 'missing', data });
  if (root !== siteRoot) return finding('mapping-site-root', 'wrong', { variant: 'other-root', data });
  if (!mappings.some((text) => isWholeTree(text, siteRoot)))
    return finding('mapping-site-root', 'warning', { variant: 'trailing-slash', data });
  if (!createInclusion(site.public?.paths ?? {})(siteRoot)) return finding('mapping-site-root', 'wrong', { variant: 'not-included', data });
  return finding('mapping-site-root', 'fine', { data });
}

/** `<root>/:/` means the root and all below; without the slash it is the root page alone. */
function isWholeTree(text: string, root: string): boolean {
  const mapping = parseMapping(text);
  return 'content' in mapping && mapping.public === '/' && mapping.content === `${root}/`;
}

function configurationMapping(situation: Situation, site: Site | undefined): Finding {
  const finding = findingOf(situation);
  if (site === undefined) return finding('mapping-configuration', 'unknown');
  const mapped = mappedPage(site);
  const wanted =
    situation.configurationPage.state === 'known' ? situation.configurationPage.value.path : situation.settings.configurationPage.value;
  const data = {
    mapped: mapped ?? '',
    path: wanted ?? `${situation.settings.siteRoot}/configuration`,
    configurationPath: CONFIGURATION_PATH,
  };
  if (mapped === undefined) return finding('mapping-configuration', 'wrong', { variant: 'missing', data });
  if (mapped.endsWith('/')) return finding('mapping-configuration', 'wrong', { variant: 'trailing-slash', data });
  return wanted === undefined || mapped === wanted
    ? finding('mapping-configuration', 'fine', { data })
    : finding('mapping-configuration', 'warning', { variant: 'other-page', data });
}
