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
    PORT: String(ports.backend),
    PUBLIC_ADDRESS: addresses.backend,
    PREVIEW_DOMAIN: addresses.previewDomain,
    LIVE_DOMAIN: addresses.liveDomain,
    HOST_PROTOCOL: 'http',
    DATA_DIR: dataDir,
    ALLOWED_ORIGINS: [addresses.extension, addresses.console, ...furtherOrigins].join(','),
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
    // The stand-ins are on loopback, which a backend in production refuses to call.
    INTERNAL_ADDRESSES: 'allow',
    // One machine runs everything, including a browser: a delayed event loop is not an overload.
    OVERLOAD_DELAY: '0',
    TECHNICAL_ACCOUNT_PROPERTY: TECHNICAL_ACCOUNT_PROPERTY,
    LOG_LEVEL: 'info',
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
    PORT: String(ports.buildManagement),
    PUBLIC_ADDRESS: addresses.buildManagement,
    DATA_DIR: dataDir,
    SERVICE_ADDRESS: addresses.backend,
    BUILD_MANAGEMENT_KEY,
    ALLOWED_ORIGINS: [addresses.extension, addresses.console, ...furtherOrigins].join(','),
    // The sandbox's git vendor runs on loopback, over HTTP.
    INTERNAL_ADDRESSES: 'allow',
    // As for the service: the whole sandbox and its clients share a machine.
    OVERLOAD_DELAY: '0',
    LOG_LEVEL: 'info',
  };
}
