import type { ServiceInfo } from '@repoless/contract/service.ts';
import { type EdgeConfiguration } from '@repoless/contract/authoring.ts';
import { sameValue } from '@repoless/contract/json.ts';
import { sanitizeRef } from '@repoless/contract/names.ts';
import type { NewConfiguration, Previous, Setting } from './situation.ts';

/** Property of the Edge Delivery configuration that stores the values from before an apply. */
export const PREVIOUS_PROPERTY = 'repolessPrevious';

/** The authoring system's names for organization, site name and project type. */
export const EDGE_PROPERTY = { organization: 'owner', siteName: 'repo', projectType: 'projectType' } as const;

/** The page's own path, otherwise `/conf/<root>/<locale>` below the inherited one: `/conf/wknd/ch-de` for `/content/wknd/ch/de`. */
export function ownConfigurationPath({
  path,
  cloudConfiguration: { value, source },
}: {
  readonly path: string;
  readonly cloudConfiguration: Setting;
}): string {
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

/** The properties that a new configuration copies from another. */
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
 * The path at which a site root without a cloud configuration gets one: the path that it already selects, otherwise one
 * below the root's own name. Undefined if it has one, or inherits that of another page.
 */
export function placeOfNew(siteRoot: string, cloudConfiguration: Setting, isMissing: boolean): string | undefined {
  const { value, source } = cloudConfiguration;
  if (source.kind === 'missing') return ownConfigurationPath({ path: siteRoot, cloudConfiguration });
  return isMissing && source.kind === 'page' ? value : undefined;
}

/**
 * What exists there. A configuration that names no organization and site, or that setup created, is used; `keeps` says whether setup created it.
 * Any other one belongs to someone, who may use it on another page.
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

/** Whether a configuration is still as an apply created it: with the previous or the new names, and otherwise unchanged. */
export function isUnchangedConfiguration(
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
