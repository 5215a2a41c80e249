import type { ServiceInfo } from '@repoless/contract/service.ts';
import { type EdgeConfiguration } from '@repoless/contract/authoring.ts';
import { sameValue } from '@repoless/contract/json.ts';
import { sanitizeRef } from '@repoless/contract/names.ts';
import type { TreeNode } from '../sites/tree.ts';
import type { NewConfiguration, Previous, Setting } from './situation.ts';

/** Property of the Edge Delivery configuration that keeps the values from before an apply. */
export const PREVIOUS_PROPERTY = 'repolessPrevious';

/** Names of the authoring system for what this project calls organization, site name and project type. */
export const EDGE_PROPERTY = { organization: 'owner', siteName: 'repo', projectType: 'projectType' } as const;

/** Its own, else `/conf/<root>/<locale>` below the one that it inherits: `/conf/wknd/ch-de` for `/content/wknd/ch/de`. */
export function ownConfigurationPath({
  path,
  cloudConfiguration: { value, source },
}: Pick<TreeNode, 'path' | 'cloudConfiguration'>): string {
  if (value !== undefined && source.kind === 'page') return value;
  const [, , root = '', ...rest] = path.split('/');
  if (value === undefined || source.kind !== 'inherited') return ['/conf', root, ...joined(rest)].join('/');
  return [value, ...joined(path.slice(source.from.length).split('/'))].join('/');
}

function joined(segments: readonly string[]): string[] {
  const name = sanitizeRef(segments.join('-'));
  return name === '' ? [] : [name];
}

const OWN: readonly string[] = [...Object.values(EDGE_PROPERTY), PREVIOUS_PROPERTY, 'siteAuthToken'];

const TAKEN = /^(jcr:title|sling:resourceType|cq:template|[A-Za-z][A-Za-z0-9]*)$/;

/** What a new configuration takes over from another. */
export function copiedProperties(
  base: EdgeConfiguration | undefined,
  { technicalAccountProperty }: Pick<ServiceInfo, 'technicalAccountProperty'>,
): Record<string, Copied> {
  return Object.fromEntries(
    Object.entries(base ?? {}).flatMap(([name, value]): [string, Copied][] => {
      if (!TAKEN.test(name) || OWN.includes(name) || name === technicalAccountProperty) return [];
      return typeof value === 'string' || typeof value === 'boolean' || typeof value === 'number' ? [[name, value]] : [];
    }),
  );
}

export type Copied = string | number | boolean;

/**
 * Where a site root without a cloud configuration gets one: at the path that it selects already, else below the root's own
 * name. Undefined where it has one, or inherits that of another page.
 */
export function placeOfNew(siteRoot: string, cloudConfiguration: Setting, isMissing: boolean): string | undefined {
  const { value, source } = cloudConfiguration;
  if (source.kind === 'missing') return ownConfigurationPath({ path: siteRoot, cloudConfiguration });
  return isMissing && source.kind === 'page' ? value : undefined;
}

/**
 * What exists there. A configuration that names nobody, or that setup created, is used; `keeps` says whether setup created it. One that names an
 * organization and a site belongs to somebody, who may use it on another page.
 */
export function newConfiguration(
  path: string,
  found: EdgeConfiguration | undefined,
  { keeps, selects }: { readonly keeps: boolean; readonly selects: boolean },
): NewConfiguration {
  if (found === undefined) return { path, selects, state: 'none' };
  const { owner = '', repo = '' } = found;
  return keeps || (owner === '' && repo === '')
    ? { path, selects, state: 'there' }
    : { path, selects, state: 'taken', names: `${owner}/${repo}` };
}

/** Whether a configuration is still what an apply made of it: the names of before or after, and nothing else changed. */
export function isAsMade(
  found: EdgeConfiguration,
  previous: Previous,
  info: Pick<ServiceInfo, 'repolessProjectType' | 'technicalAccountProperty'>,
): boolean {
  const { organization, siteName, projectType, org, site, configuration } = previous;
  const names = [
    [found.owner, organization, org],
    [found.repo, siteName, site],
    [found.projectType, projectType, info.repolessProjectType],
  ] as const;
  const isNamed = names.every(([value = null, before, after]) => value === before || value === after);
  return isNamed && found.siteAuthToken === undefined && sameValue(copiedProperties(found, info), configuration?.created);
}
