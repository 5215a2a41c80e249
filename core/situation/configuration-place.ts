import type { EdgeConfiguration } from '@repoless/contract/authoring.ts';
import type { ServiceInfo } from '@repoless/contract/service.ts';
import { sameValue } from '@repoless/contract/same-value.ts';
import type { NewConfiguration, Previous, Setting } from './settings.ts';
import { copiedProperties } from '../sites/edge-call.ts';
import { ownConfigurationPath } from '../sites/own-configuration-path.ts';

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
