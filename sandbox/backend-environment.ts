import { TECHNICAL_ACCOUNT_PROPERTY } from '@repoless/contract/edge-fields.ts';
import type { Addresses, Ports } from './addresses.ts';
import { AUTHORING_AUDIENCE, AUTHORING_RESOURCE, PROVIDER_NAME, SERVICE_CLIENT } from './identity-provider/accounts.ts';

/** Claims the sandbox's organization at the first start. */
export const OPERATOR = 'ada.admin@example.com';

/** The settings of the backend in the sandbox: every other system is a stand-in on this machine. */
export function backendEnvironment(
  ports: Ports,
  addresses: Addresses,
  dataDir: string,
  furtherOrigins: readonly string[] = [],
): Record<string, string> {
  return {
    ...commonEnvironment(addresses, dataDir, furtherOrigins),
    PORT: String(ports.backend),
    PUBLIC_ADDRESS: addresses.backend,
    PREVIEW_DOMAIN: addresses.previewDomain,
    LIVE_DOMAIN: addresses.liveDomain,
    HOST_PROTOCOL: 'http',
    OPERATORS: OPERATOR,
    CODE_HOST: addresses.codeHost,
    CODE_HOST_API: `${addresses.codeHost}/api`,
    CODE_HOST_RAW: `${addresses.codeHost}/raw`,
    IDP_NAME: PROVIDER_NAME,
    IDP_ISSUER: addresses.identity,
    IDP_CLIENT_ID: SERVICE_CLIENT.clientId,
    IDP_CLIENT_SECRET: SERVICE_CLIENT.clientSecret,
    IDP_AUTHORING_AUDIENCE: AUTHORING_RESOURCE,
    TRUSTED_ISSUERS: JSON.stringify([{ issuer: addresses.identity, audience: AUTHORING_AUDIENCE }]),
    AUTHOR_HOSTS: [addresses.author, addresses.secondAuthor].map((address) => new URL(address).host).join(','),
    BUILD_MANAGEMENT: addresses.buildManagement,
    BUILD_MANAGEMENT_KEY,
    TECHNICAL_ACCOUNT_PROPERTY,
  };
}

/** The key between the service and build management in the sandbox. */
export const BUILD_MANAGEMENT_KEY = 'sandbox-build-management-key';

/** The settings of build management in the sandbox. */
export function buildManagementEnvironment(
  ports: Ports,
  addresses: Addresses,
  dataDir: string,
  furtherOrigins: readonly string[] = [],
): Record<string, string> {
  return {
    ...commonEnvironment(addresses, dataDir, furtherOrigins),
    PORT: String(ports.buildManagement),
    PUBLIC_ADDRESS: addresses.buildManagement,
    SERVICE_ADDRESS: addresses.backend,
    BUILD_MANAGEMENT_KEY,
  };
}

function commonEnvironment(addresses: Addresses, dataDir: string, furtherOrigins: readonly string[]) {
  return {
    DATA_DIR: dataDir,
    ALLOWED_ORIGINS: [addresses.extension, addresses.console, ...furtherOrigins].join(','),
    // The stand-ins are on loopback and speak HTTP, which programs in production refuse to call.
    INTERNAL_ADDRESSES: 'allow',
    // One machine runs everything, including a browser: a delayed event loop is not an overload.
    OVERLOAD_DELAY: '0',
    LOG_LEVEL: 'info',
  };
}
