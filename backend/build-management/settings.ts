import { SealedValue } from '@repoless/contract/secret.ts';
import { join } from 'node:path';
import { z } from 'zod';
import {
  address,
  bytes,
  databaseAddress,
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
} from '../setting-forms.ts';

const MEGABYTE = 1024 * 1024;

const Environment = z.object({
  PORT: port.default(4006),
  HOST: text.default('127.0.0.1'),
  PUBLIC_ADDRESS: address.optional(),
  DATA_DIR: text.default('data/build-management'),
  DATABASE_URL: databaseAddress.optional(),
  SERVICE_ADDRESS: address.default('http://localhost:4000'),
  SERVICE_ISSUER: z.url('Write the public address of the configuration service, which signs the tokens.').optional(),
  BUILD_MANAGEMENT_KEY: z
    .string(
      'Set it, or name a file that holds it in BUILD_MANAGEMENT_KEY_FILE: the key by which build management and the configuration service identify each other, at least 16 printable characters, the same at both.',
    )
    .regex(/^[\x21-\x7e]{16,}$/, 'Write at least 16 printable characters, the same as for the configuration service.'),
  ALLOWED_ORIGINS: list(address).default([]),
  INTERNAL_ADDRESSES: z.enum(['refuse', 'allow'], 'Write "refuse" or "allow".').default('refuse'),
  // The largest event of any vendor has 25 MB.
  BODY_LIMIT: bytes.default(25 * MEGABYTE),
  REPOSITORY_LIMIT: bytes.default(500 * MEGABYTE),
  EXTERNAL_REPOSITORIES: wholeNumber('a number of repositories', { min: 0, zero: 'none' }).default(100),
  FILE_LIMIT: bytes.default(100 * MEGABYTE),
  FILE_COUNT_LIMIT: wholeNumber('a number of files', { min: 1 }).default(50_000),
  LISTING_TIME: seconds(1).default(60),
  GIT_TIMEOUT: seconds(1).default(300),
  SECRET_KEY_FILE: text.optional(),
  TRUST_PROXY: networks.default([]),
  RATE_LIMIT: rateLimit.default(50),
  RATE_LIMIT_BURST: rateLimitBurst.default(500),
  OVERLOAD_DELAY: overloadDelay,
  METRICS_PORT: metricsPort,
  METRICS_HOST: text.default('127.0.0.1'),
  ...tracingForms('repoless-build-management'),
  LOG_LEVEL: logLevel,
  SHUTDOWN_DELAY: seconds(0).default(0),
  SHUTDOWN_GRACE: seconds(0).default(10),
});

export const BUILD_MANAGEMENT_SETTING_NAMES = Object.keys(Environment.shape);

/** Each may be given as a file: `<name>_FILE`. */
export const BUILD_MANAGEMENT_SECRET_SETTINGS: readonly (keyof typeof Environment.shape)[] = [
  'DATABASE_URL',
  'BUILD_MANAGEMENT_KEY',
  'OTEL_EXPORTER_OTLP_HEADERS',
];

export type BuildManagementSettings = ReturnType<typeof readBuildManagementSettings>;

export function readBuildManagementSettings(environment: Readonly<Record<string, string | undefined>>) {
  const read = readEnvironment(Environment, environment, BUILD_MANAGEMENT_SECRET_SETTINGS);
  return {
    ...read,
    BUILD_MANAGEMENT_KEY: new SealedValue(read.BUILD_MANAGEMENT_KEY),
    DATABASE_URL: seal(read.DATABASE_URL),
    OTEL_EXPORTER_OTLP_HEADERS: seal(read.OTEL_EXPORTER_OTLP_HEADERS),
    SERVICE_ISSUER: read.SERVICE_ISSUER ?? read.SERVICE_ADDRESS,
    SECRET_KEY_FILE: read.SECRET_KEY_FILE ?? join(read.DATA_DIR, 'secret-keys.json'),
  };
}
