import { EDGE_CONFIGURATION } from '#contract/authoring.ts';
import type { Call } from './plan.ts';
import type { AuthoringSettings } from './settings.ts';

/** Property of the Edge Delivery configuration that keeps the values from before an apply. */
export const PREVIOUS_PROPERTY = 'repolessPrevious';

/** Names of the authoring system for what this project calls organization, site name and project type. */
export const EDGE_PROPERTY = { organization: 'owner', siteName: 'repo', projectType: 'projectType' } as const;

export type Field = readonly [name: string, value: string];

/** Path of the Edge Delivery configuration in force, or of the one to be made; undefined where no `cq:conf` is in force. */
export function edgeConfigurationPath({ cloudConfiguration }: AuthoringSettings): string | undefined {
  return cloudConfiguration.value === undefined ? undefined : `${cloudConfiguration.value}/${EDGE_CONFIGURATION}`;
}

/** What the Edge Delivery configuration in force holds itself; what it only inherits from one above does not count. */
export function ownValues(settings: AuthoringSettings): { projectType?: string; organization?: string; siteName?: string } {
  if (settings.configurationMissing === true) return {};
  const { projectType, organization, siteName } = settings;
  return {
    ...(projectType.value === undefined ? {} : { projectType: projectType.value }),
    ...(organization.value === undefined ? {} : { organization: organization.value }),
    ...(siteName.value === undefined ? {} : { siteName: siteName.value }),
  };
}

/** One Sling POST to the properties of the Edge Delivery configuration at `path`. */
export function postToConfiguration(author: string, path: string, fields: readonly Field[]): Call {
  return { target: 'authoring', method: 'POST', address: `${author}${path}/_jcr_content`, body: { type: 'form', fields } };
}

/** Sets a property, or removes it where the value is null. */
export function propertyField(name: string, value: string | null): Field {
  return value === null ? [`./${name}@Delete`, 'true'] : [`./${name}`, value];
}
