import { createPathMapper } from '@repoless/contract/content-paths.ts';
import type { PublicPaths } from '@repoless/contract/content-paths.ts';
import { CONFIGURATION_PATH, contentRoots, isGlob, parseMapping } from '@repoless/contract/mappings.ts';
import { createPathCover } from '@repoless/contract/path-globs.ts';
import type { Site } from '@repoless/contract/site.ts';
import { findingOf } from './check-data.ts';
import { mappedPage } from '../situation/mapped-page.ts';
import type { Finding } from './findings.ts';
import { rootAddress } from '../situation/shown-root.ts';
import type { Situation } from '../situation/situation.ts';

/** Checks of the path mappings of a site. */
export function mappingChecks(situation: Situation, site: Site | undefined): Finding[] {
  return [siteRootMapping(situation, site), configurationMapping(situation, site)];
}

function siteRootMapping(situation: Situation, site: Site | undefined): Finding {
  const finding = findingOf(situation);
  if (site === undefined) return finding('mapping-site-root', 'unknown');
  const { mappings = [], includes, excludes } = site.public?.paths ?? {};
  const { siteRoot } = situation.settings;
  const roots = contentRoots(mappings);
  const address = rootAddress(site, siteRoot);
  const data = {
    root: roots[0] ?? '',
    mappings: mappings.join(', '),
    includes: includes?.join(', ') ?? '',
    excludes: excludes?.join(', ') ?? '',
    address: address ?? '',
  };
  const wrong = (variant: string) => finding('mapping-site-root', 'wrong', { variant, data });
  const warning = (variant: string) => finding('mapping-site-root', 'warning', { variant, data });
  if (!roots.includes(siteRoot)) {
    if (address !== undefined) return warning('elsewhere');
    return wrong(roots.length === 0 ? 'missing' : 'other-root');
  }
  if (!mappings.some((text) => isWholeTree(text, siteRoot))) return warning('trailing-slash');
  if (
    createPathMapper(site.public?.paths ?? {})
      .contentPaths('/')
      .some((path) => isWithin(path, siteRoot))
  )
    return finding('mapping-site-root', 'fine', { data });
  return mayPublishBelow(siteRoot, site.public?.paths ?? {}) ? warning('start-not-included') : wrong('not-included');
}

/** Whether the lists leave any content below a root: something lies in what is included that is not excluded as a whole. */
function mayPublishBelow(root: string, { includes, excludes }: PublicPaths): boolean {
  if (createPathCover(excludes ?? [])(`${root}/`)) return false;
  return (includes ?? [root]).some(
    (pattern) => isWithin(literalOf(pattern), root) || (isGlob(pattern) && root.startsWith(literalOf(pattern))),
  );
}

function literalOf(pattern: string): string {
  return pattern.split('*', 1)[0] ?? '';
}

function isWithin(path: string, root: string): boolean {
  return path === root || path.startsWith(`${root}/`);
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
  if (mapped.endsWith('/')) return finding('mapping-configuration', 'warning', { variant: 'trailing-slash', data });
  return wanted === undefined || mapped === wanted
    ? finding('mapping-configuration', 'fine', { data })
    : finding('mapping-configuration', 'warning', { variant: 'other-page', data });
}
