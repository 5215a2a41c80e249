import { parseMapping } from '#contract/mappings.ts';
import type { EdgeConfiguration } from '#contract/authoring.ts';
import type { SiteListEntry } from '#contract/site.ts';
import type { Setting } from '../settings.ts';
import type { ContentPage } from './content-page.ts';
import { levelOf } from './level-of.ts';
import { indexSites } from './site-index.ts';
import type { SiteIndex } from './site-index.ts';
import type { Level, NodeDrift, NodeState, ReadLevel, TreeContext, TreeNode } from './tree.ts';

/**
 * The nodes of one level with their states. Pure: `read` is what the authoring system answered, `parent` the node above
 * (undefined at the top), `context` the service's sites. When the sites change, the same levels give the new states.
 */
export function treeStates(
  context: TreeContext,
  parent: TreeNode | undefined,
  read: ReadLevel,
  /** The context's sites by their content roots: who draws many levels makes it once. */
  index = context.sites === undefined ? undefined : indexSites(context.sites, context.author),
): TreeNode[] {
  return read.pages.map((page) => {
    const level = levelOf(page, parent === undefined || isHolder(parent) ? undefined : parent.level);
    const cloudConfiguration = configurationOf(page, parent);
    const own = page.ownConfiguration === undefined ? undefined : read.configurations.get(page.ownConfiguration);
    const site = index?.at(page.path);
    return {
      path: page.path,
      title: page.title,
      level,
      hasChildren: page.hasChildren,
      ...(page.language === undefined ? {} : { language: page.language }),
      ...(page.liveCopyOf === undefined ? {} : { liveCopyOf: page.liveCopyOf }),
      cloudConfiguration,
      state: index === undefined ? { kind: 'unknown' } : stateOf(context, index, { page, level, parent, own, cloudConfiguration }),
      ...(site === undefined ? {} : { site }),
    };
  });
}

/** A folder right below `/content` holds roots. */
function isHolder({ level, cloudConfiguration, path }: TreeNode): boolean {
  return level === 'page' && cloudConfiguration.value === undefined && path.split('/').length === 3;
}

function configurationOf(page: ContentPage, parent: TreeNode | undefined): Setting {
  if (page.ownConfiguration !== undefined) return { value: page.ownConfiguration, source: { kind: 'page', path: page.path } };
  const above = parent?.cloudConfiguration;
  if (above?.value === undefined || above.source.kind === 'missing') return { source: { kind: 'missing' } };
  const from = above.source.kind === 'inherited' ? above.source.from : (parent?.path ?? '');
  return { value: above.value, source: { kind: 'inherited', from } };
}

interface Judged {
  readonly page: ContentPage;
  readonly level: Level;
  readonly parent: TreeNode | undefined;
  readonly own: EdgeConfiguration | undefined;
  readonly cloudConfiguration: Setting;
}

function stateOf(context: TreeContext, index: SiteIndex, judged: Judged): NodeState {
  const { page, level, parent } = judged;
  const site = index.at(page.path);
  if (site !== undefined) {
    const drifts = driftsOf(context, site, judged);
    if (drifts.length > 0) return { kind: 'drifted', site: site.name, drifts };
    return { kind: level === 'root' ? 'base' : 'service-site', site: site.name };
  }
  const promised = promisedSite(context, index, judged);
  if (promised !== undefined) return { kind: 'drifted', drifts: [{ field: 'siteName', authoring: promised, service: '' }] };
  const above = index.above(page.path);
  if (level === 'page' && above !== undefined) return { kind: 'covered', by: above.name };
  if (above === undefined) return { kind: 'not-yet' };
  // A country or locale of the base site awaits a site of its own; a locale of a country that is a site belongs to that one.
  const ofCountry = parent?.level === 'country' && parent.site !== undefined;
  return ofCountry ? { kind: 'covered', by: above.name } : { kind: 'not-yet', by: above.name };
}

/** The authoring system was switched to a site that the service does not have: the editor's white page. */
function promisedSite(context: TreeContext, index: SiteIndex, { own }: Judged): string | undefined {
  const name = own?.repo;
  if (name === undefined || own?.projectType !== context.info.repolessProjectType) return undefined;
  return index.named(name) === undefined ? name : undefined;
}

/** Where the authoring system's settings for a page do not fit its service site. */
function driftsOf(context: TreeContext, site: SiteListEntry, { page, own, cloudConfiguration }: Judged): NodeDrift[] {
  const drifts: NodeDrift[] = [
    { field: 'siteRoot', authoring: `${page.path}/:/`, service: rootMapping(site) },
    ...(own === undefined ? [] : configurationDrifts(context, site, own)),
  ];
  const differing = drifts.filter((drift) => drift.authoring !== drift.service);
  if (cloudConfiguration.source.kind === 'page') return differing;
  return [...differing, { field: 'cloudConfiguration', authoring: cloudConfiguration.value ?? '', service: '' }];
}

function configurationDrifts({ organization, info }: TreeContext, site: SiteListEntry, own: EdgeConfiguration): NodeDrift[] {
  return [
    { field: 'organization', authoring: own.owner ?? '', service: organization },
    { field: 'siteName', authoring: own.repo ?? '', service: site.name },
    { field: 'projectType', authoring: own.projectType ?? '', service: info.repolessProjectType },
  ];
}

/** The mapping to `/` as the service holds it. */
function rootMapping(site: SiteListEntry): string {
  const found = (site.public?.paths?.mappings ?? []).find((text) => {
    const mapping = parseMapping(text);
    return 'public' in mapping && mapping.public === '/';
  });
  return found ?? '';
}
