import type { z } from 'zod';
import type { HostDomains } from '@repoless/contract/addresses.ts';
import { FEATURES } from '@repoless/contract/service.ts';
import type { ServiceInfo } from '@repoless/contract/service.ts';
import type { Settings } from '../config.ts';
import { VERSION } from '@repoless/contract/version.ts';

/** What clients, and the service's own checks, must know of this deployment. */
export function serviceInfo(settings: Settings, hosts: HostDomains): z.infer<typeof ServiceInfo> {
  return {
    name: 'repoless',
    version: VERSION,
    protocol: hosts.protocol,
    previewDomain: hosts.preview,
    liveDomain: hosts.live,
    codeHost: settings.CODE_HOST,
    codeHostRaw: settings.CODE_HOST_RAW,
    buildManagement: settings.BUILD_MANAGEMENT,
    repolessProjectType: settings.REPOLESS_PROJECT_TYPE,
    configurationTemplate: settings.CONFIGURATION_TEMPLATE,
    technicalAccountProperty: settings.TECHNICAL_ACCOUNT_PROPERTY,
    connector: settings.CONNECTOR,
    apiKeyLifetimeLimit: settings.API_KEY_LIFETIME_LIMIT,
    features: [...FEATURES],
  };
}
