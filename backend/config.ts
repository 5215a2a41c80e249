import { DEFAULT_CONNECTOR, type HostDomains } from '@repoless/contract/addresses.ts';
import { REPOLESS_PROJECT_TYPE, TECHNICAL_ACCOUNT_PROPERTY } from '@repoless/contract/edge-fields.ts';
import { SealedValue } from '@repoless/contract/secret.ts';
import { FEATURES, type ServiceInfo } from '@repoless/contract/service.ts';
import { VERSION } from '@repoless/contract/version.ts';
import { type HostedService, hostedServiceAt, infoOf } from '@repoless/upstream/hosted.ts';
import { join } from 'node:path';
import { z } from 'zod';
import type { Quotas } from './domain/documents.ts';
import {
  address,
  bytes,
  codeStore,
  databaseAddress,
  domain,
  hosts,
  issuers,
  list,
  logLevel,
  metricsPort,
  networks,
  overloadDelay,
  port,
  rateLimit,
  rateLimitBurst,
  readEnvironment,
  seal,
  seconds,
  text,
  tracingForms,
  wholeNumber,
} from './setting-forms.ts';

/** How many of something an organization may have; 0: unlimited. */
const quota = (usual: number) => wholeNumber('a number', { min: 0, zero: 'no limit' }).default(usual);
const yesOrNo = z.enum(['yes', 'no'], 'Write "yes" or "no".');
const ONE_YEAR = 365 * 24 * 60 * 60;

/** Omitted addresses and domains are derived from the listening port, so that a start without settings works on one machine. */
const Environment = z.object({
  PORT: port.default(4000),
  HOST: text.default('127.0.0.1'),
  PUBLIC_ADDRESS: address.optional(),
  PREVIEW_DOMAIN: hosts.optional(),
  LIVE_DOMAIN: hosts.optional(),
  HOST_PROTOCOL: z.enum(['http', 'https'], 'Write "http" or "https".').optional(),
  DATA_DIR: text.default('data'),
  DATABASE_URL: databaseAddress.optional(),
  ALLOWED_ORIGINS: list(address).default([]),
  EXTENSION_IDS: list(z.string().regex(/^[a-p]{32}$/, 'Write ids of browser extensions: 32 letters from a to p.')).default([]),
  OPERATORS: list(z.string().min(3, 'Write e-mail addresses, separated by commas.')).default([]),
  CODE_HOST: address.default('https://github.com'),
  CODE_HOST_API: address.default('https://api.github.com'),
  CODE_HOST_RAW: address.default('https://raw.githubusercontent.com'),
  IDP_NAME: z
    .string()
    .regex(/^[a-z0-9-]+$/, 'Write a name of lower-case letters, digits and hyphens.')
    .default('idp'),
  IDP_ISSUER: z.url('Write the address of the issuer.').optional(),
  IDP_CLIENT_ID: text.optional(),
  IDP_CLIENT_SECRET: text.optional(),
  IDP_AUTHORING_AUDIENCE: text.optional(),
  IDP_DOMAINS: list(domain).default([]),
  TRUSTED_ISSUERS: issuers.default([]),
  AUTHOR_HOSTS: list(z.string().regex(/^(?:\*\.)?[a-z0-9.-]+(?::\d+)?$/, 'Write hosts like author.example.com, or *.example.com.')).default(
    [],
  ),
  // Rendering a page for the first time takes a while.
  AUTHOR_TIMEOUT: seconds(2).default(20),
  INTERNAL_ADDRESSES: z.enum(['refuse', 'allow'], 'Write "refuse" or "allow".').default('refuse'),
  BODY_LIMIT: bytes.default(1_048_576),
  TOKEN_LIFETIME: seconds(60).default(86_400),
  API_KEY_LIFETIME: seconds(60).default(ONE_YEAR),
  API_KEY_LIFETIME_LIMIT: seconds(60).default(ONE_YEAR),
  SIGNING_KEY_FILE: text.optional(),
  SECRET_KEY_FILE: text.optional(),
  CODE_STORE: codeStore.optional(),
  CODE_DIR: text.optional(),
  S3_ENDPOINT: address.optional(),
  S3_REGION: text.default('us-east-1'),
  S3_PATH_STYLE: yesOrNo.optional(),
  S3_ACCESS_KEY_ID: text.optional(),
  S3_SECRET_ACCESS_KEY: text.optional(),
  MIRROR_DIR: text.optional(),
  CODE_REPOSITORY_LIMIT: bytes.default(500 * 1024 * 1024),
  CODE_FILE_LIMIT: bytes.default(25 * 1024 * 1024),
  CODE_FILE_COUNT_LIMIT: wholeNumber('a number of files', { min: 1 }).default(50_000),
  CODE_SYNC_TIME: seconds(1).default(900),
  CODE_LISTING_TIME: seconds(1).default(60),
  CODE_RETRY_DELAY: wholeNumber('a number of milliseconds', { min: 1, max: 60_000 }).default(1000),
  FIRST_CODE_SYNC: yesOrNo.default('yes'),
  GITHUB_WEBHOOK_SECRET: text.optional(),
  BUILD_MANAGEMENT: address.optional(),
  BUILD_MANAGEMENT_KEY: text.min(16, 'Write at least 16 characters.').optional(),
  CONTENT_TOKEN: text.optional(),
  CONTENT_TIME: seconds(1).default(20),
  VERSIONS_KEPT: wholeNumber('a number of versions', { min: 1 }).default(1000),
  ORG_SITES: quota(100_000),
  ORG_REPOSITORIES: quota(1000),
  ORG_VERSIONS: quota(2_000_000),
  ORG_CONFIGURATION_BYTES: quota(4 * 1024 * 1024 * 1024),
  ORG_CODE_BYTES: quota(20 * 1024 * 1024 * 1024),
  ORG_SECRETS: quota(100_000),
  ORG_API_KEYS: quota(10_000),
  ORG_SYNCS_AT_ONCE: wholeNumber('a number of syncs', { min: 1, max: 4 }).default(2),
  SITE_CHECK_INTERVAL: seconds(0).default(3600),
  UPSTREAM: address.optional(),
  UPSTREAM_SUCCESSOR: address.optional(),
  UPSTREAM_PREVIEW: hosts.optional(),
  UPSTREAM_LIVE: hosts.optional(),
  UPSTREAM_GENERATION: z.enum(['5', '6', 'detect'], 'Write "5", "6" or "detect".').optional(),
  UPSTREAM_KEYS_FILE: text.optional(),
  MCP: z.enum(['on', 'off'], 'Write "on" or "off".').default('on'),
  SMTP_URL: z.url({ protocol: /^smtps?$/, error: 'Write an smtp:// or smtps:// address, or omit it.' }).optional(),
  MAIL_FROM: z.email('Write an e-mail address.').optional(),
  MAIL_DOMAINS: list(domain).default([]),
  LOG_LEVEL: logLevel,
  TRUST_PROXY: networks.default([]),
  RATE_LIMIT: rateLimit.default(200),
  RATE_LIMIT_BURST: rateLimitBurst.default(2000),
  OVERLOAD_DELAY: overloadDelay,
  METRICS_PORT: metricsPort,
  METRICS_HOST: text.default('127.0.0.1'),
  ...tracingForms('repoless'),
  REPOLESS_PROJECT_TYPE: text.default(REPOLESS_PROJECT_TYPE),
  CONFIGURATION_TEMPLATE: text.default('/libs/core/franklin/templates/configuration'),
  TECHNICAL_ACCOUNT_PROPERTY: text.default(TECHNICAL_ACCOUNT_PROPERTY),
  CONNECTOR: text.default(DEFAULT_CONNECTOR),
  SHUTDOWN_DELAY: seconds(0).default(0),
  SHUTDOWN_GRACE: seconds(0).default(10),
});

export const SETTING_NAMES = Object.keys(Environment.shape);

/** Each may be given as a file: `<name>_FILE`. */
export const SECRET_SETTINGS: readonly (keyof typeof Environment.shape)[] = [
  'DATABASE_URL',
  'IDP_CLIENT_SECRET',
  'S3_SECRET_ACCESS_KEY',
  'GITHUB_WEBHOOK_SECRET',
  'BUILD_MANAGEMENT_KEY',
  'CONTENT_TOKEN',
  'SMTP_URL',
  'OTEL_EXPORTER_OTLP_HEADERS',
];

/** Settings that have no meaning without each other. */
const TOGETHER = [
  ['IDP_ISSUER', 'IDP_CLIENT_ID', 'IDP_CLIENT_SECRET'],
  ['S3_ACCESS_KEY_ID', 'S3_SECRET_ACCESS_KEY'],
  ['SMTP_URL', 'MAIL_FROM'],
] as const;

/** Settings of the hosted service that this one runs in front of. */
const OF_UPSTREAM = ['UPSTREAM_SUCCESSOR', 'UPSTREAM_PREVIEW', 'UPSTREAM_LIVE', 'UPSTREAM_GENERATION', 'UPSTREAM_KEYS_FILE'] as const;

/** Reported whatever else is invalid. A secret whose file cannot be read is reported for that reason only. */
function missingTogether(values: Readonly<Record<string, string>>): string[] {
  const isSet = (name: string) => values[name] !== undefined || values[`${name}_FILE`] !== undefined;
  const apart = TOGETHER.filter((parts) => parts.some(isSet)).flatMap((parts) =>
    parts.filter((part) => !isSet(part)).map((part) => `${part}: Set this too: ${parts.join(', ')} belong together.`),
  );
  const idle = isSet('UPSTREAM') ? [] : OF_UPSTREAM.filter(isSet).map((name) => `${name}: Set UPSTREAM too, or omit this.`);
  return [...apart, ...idle];
}

export type Settings = ReturnType<typeof readSettings>;

/** Reads the environment, and the files of secrets that it names. Throws SettingsProblem. */
export function readSettings(environment: Readonly<Record<string, string | undefined>>) {
  const read = readEnvironment(Environment, environment, SECRET_SETTINGS, missingTogether);
  return {
    ...read,
    IDP_CLIENT_SECRET: new SealedValue(read.IDP_CLIENT_SECRET ?? ''),
    DATABASE_URL: seal(read.DATABASE_URL),
    SIGNING_KEY_FILE: read.SIGNING_KEY_FILE ?? join(read.DATA_DIR, 'signing-keys.json'),
    SECRET_KEY_FILE: read.SECRET_KEY_FILE ?? join(read.DATA_DIR, 'secret-keys.json'),
    CODE_DIR: read.CODE_DIR ?? join(read.DATA_DIR, 'code'),
    MIRROR_DIR: read.MIRROR_DIR ?? join(read.DATA_DIR, 'mirrors'),
    S3_SECRET_ACCESS_KEY: seal(read.S3_SECRET_ACCESS_KEY),
    GITHUB_WEBHOOK_SECRET: seal(read.GITHUB_WEBHOOK_SECRET),
    BUILD_MANAGEMENT_KEY: seal(read.BUILD_MANAGEMENT_KEY),
    CONTENT_TOKEN: seal(read.CONTENT_TOKEN),
    SMTP_URL: seal(read.SMTP_URL),
    OTEL_EXPORTER_OTLP_HEADERS: seal(read.OTEL_EXPORTER_OTLP_HEADERS),
  };
}

/** E-mail addresses in lower case. */
export function operatorsOf({ OPERATORS }: Settings): readonly string[] {
  return OPERATORS.map((one) => one.toLowerCase());
}
/** An organization's quotas; 0 is unlimited. */
export function quotasOf(settings: Settings): Quotas {
  const limits = {
    sites: settings.ORG_SITES,
    repositories: settings.ORG_REPOSITORIES,
    versions: settings.ORG_VERSIONS,
    bytes: settings.ORG_CONFIGURATION_BYTES,
    secrets: settings.ORG_SECRETS,
    apiKeys: settings.ORG_API_KEYS,
    codeBytes: settings.ORG_CODE_BYTES,
  };
  return { ...Object.fromEntries(Object.entries(limits).filter(([, limit]) => limit > 0)), syncs: settings.ORG_SYNCS_AT_ONCE };
}

export function addressesOf(settings: Settings, port: number) {
  const publicAddress = settings.PUBLIC_ADDRESS ?? `http://localhost:${port}`;
  const hosted = hostedServiceOf(settings);
  if (hosted !== undefined)
    return { publicAddress, hosts: { protocol: hosted.protocol, preview: hosted.previewDomain, live: hosted.liveDomain } };
  const protocol = settings.HOST_PROTOCOL ?? (publicAddress.startsWith('https:') ? ('https' as const) : ('http' as const));
  const preview = settings.PREVIEW_DOMAIN ?? `preview.localhost:${port}`;
  const live = settings.LIVE_DOMAIN ?? `live.localhost:${port}`;
  return { publicAddress, hosts: { protocol, preview, live } };
}

export function hostedServiceOf(settings: Settings): HostedService | undefined {
  const { UPSTREAM: service } = settings;
  if (service === undefined) return undefined;
  return hostedServiceAt(service, {
    service,
    successor: settings.UPSTREAM_SUCCESSOR,
    previewDomain: settings.UPSTREAM_PREVIEW,
    liveDomain: settings.UPSTREAM_LIVE,
    codeHost: settings.CODE_HOST,
    codeHostRaw: settings.CODE_HOST_RAW,
    generation: settings.UPSTREAM_GENERATION,
  });
}

/** What clients, and the service's own checks, need to know about this deployment. */
export function serviceInfo(settings: Settings, hosts: HostDomains): z.infer<typeof ServiceInfo> {
  const authoring = {
    codeHost: settings.CODE_HOST,
    repolessProjectType: settings.REPOLESS_PROJECT_TYPE,
    configurationTemplate: settings.CONFIGURATION_TEMPLATE,
    technicalAccountProperty: settings.TECHNICAL_ACCOUNT_PROPERTY,
    connector: settings.CONNECTOR,
  };
  const hosted = hostedServiceOf(settings);
  if (hosted !== undefined) return { ...infoOf(hosted), ...authoring };
  return {
    name: 'repoless',
    version: VERSION,
    protocol: hosts.protocol,
    previewDomain: hosts.preview,
    liveDomain: hosts.live,
    buildManagement: settings.BUILD_MANAGEMENT,
    apiKeyLifetimeLimit: settings.API_KEY_LIFETIME_LIMIT,
    features: [...FEATURES],
    ...authoring,
  };
}
