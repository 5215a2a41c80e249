import { EDGE_CONFIGURATION } from '@repoless/contract/authoring.ts';
import type { Call } from '../plan/plan.ts';
import type { AuthoringSettings } from './settings.ts';

/** Property of the Edge Delivery configuration that keeps the values from before an apply. */
export const PREVIOUS_PROPERTY = 'repolessPrevious';

/** Names of the authoring system for what this project calls organization, site name and project type. */
export const EDGE_PROPERTY = { organization: 'owner', siteName: 'repo', projectType: 'projectType' } as const;

export type Field = readonly [name: string, value: string];

/**
 * Path of the Edge Delivery configuration in force, or of the one that the page gets; undefined where the `cq:conf` in force
 * has none of its own.
 */
export function edgeConfigurationPath(settings: AuthoringSettings): string | undefined {
  const { cloudConfiguration, configurationMissing, newConfiguration: fresh } = settings;
  if (fresh !== undefined) return fresh.state === 'taken' ? undefined : `${fresh.path}/${EDGE_CONFIGURATION}`;
  return cloudConfiguration.value === undefined || configurationMissing === true
    ? undefined
    : `${cloudConfiguration.value}/${EDGE_CONFIGURATION}`;
}

/** One Sling POST to the properties of the Edge Delivery configuration at `path`. */
export function postToConfiguration(author: string, path: string, fields: readonly Field[]): Call {
  return { target: 'authoring', method: 'POST', address: `${author}${path}/_jcr_content`, body: { type: 'form', fields } };
}

/** Sets a property, or removes it where the value is null. */
export function propertyField(name: string, value: string | null): Field {
  return value === null ? [`./${name}@Delete`, 'true'] : [`./${name}`, value];
}
