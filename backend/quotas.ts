import type { Quotas } from './domain/quotas.ts';
import type { Settings } from './config.ts';

/** An organization's quotas from the settings; 0 is unlimited. */
export function quotasOf(settings: Settings): Quotas {
  const bounds = {
    sites: settings.ORG_SITES,
    repositories: settings.ORG_REPOSITORIES,
    versions: settings.ORG_VERSIONS,
    bytes: settings.ORG_CONFIGURATION_BYTES,
    secrets: settings.ORG_SECRETS,
    apiKeys: settings.ORG_API_KEYS,
    codeBytes: settings.ORG_CODE_BYTES,
  };
  return { ...Object.fromEntries(Object.entries(bounds).filter(([, limit]) => limit > 0)), syncs: settings.ORG_SYNCS_AT_ONCE };
}
