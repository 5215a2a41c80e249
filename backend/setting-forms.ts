import { integer } from '@repoless/contract/endpoint.ts';
import { SealedValue } from '@repoless/contract/secret.ts';
import { VERSION } from '@repoless/contract/version.ts';
import { readFileSync } from 'node:fs';
import { z } from 'zod';
import { serverAddresses } from './db/postgres/server-addresses.ts';
import { isNetwork } from './http/caller.ts';
import { SAMPLERS, type TracingOptions } from './tracing/tracing.ts';

const collector = z
  .url({ protocol: /^https?$/, error: 'Write an http(s) address.' })
  .refine((value) => URL.canParse(value) && new URL(value).username === '', 'Write the address without a user name or password.');

/** `name=value,name=value`, percent-encoded, OpenTelemetry's format of lists. Undefined if it is invalid. */
function pairsOf(value: string): Record<string, string> | undefined {
  const read = entriesOf(value).map((pair) => /^([^=\s]+)\s*=\s*(.*)$/.exec(pair)?.slice(1));
  try {
    return Object.fromEntries(read.map(([name = '', text = ''] = []) => [decodeURIComponent(name), decodeURIComponent(text)]));
  } catch {
    return undefined;
  }
}

const pairs = z
  .string()
  .refine((value) => Object.keys(pairsOf(value) ?? { '': '' }).every((name) => /^[\w.-]+$/.test(name)), 'Write name=value,name=value.');

/** Where and how traces are sent, by the standard variables of OpenTelemetry. Both programs have them. */
export function tracingForms(service: string) {
  return {
    OTEL_SDK_DISABLED: z.enum(['true', 'false'], 'Write "true" or "false".').default('false'),
    OTEL_TRACES_EXPORTER: z.enum(['otlp', 'none'], 'Write "otlp" or "none".').default('otlp'),
    OTEL_EXPORTER_OTLP_ENDPOINT: collector.optional(),
    OTEL_EXPORTER_OTLP_TRACES_ENDPOINT: collector.optional(),
    OTEL_EXPORTER_OTLP_PROTOCOL: z
      .enum(['http/protobuf', 'http/json'], 'Write "http/protobuf" or "http/json": gRPC is not supported.')
      .default('http/protobuf'),
    OTEL_EXPORTER_OTLP_HEADERS: pairs.optional(),
    OTEL_EXPORTER_OTLP_TIMEOUT: milliseconds.default(10_000),
    OTEL_BSP_SCHEDULE_DELAY: milliseconds.default(5000),
    OTEL_SERVICE_NAME: text.default(service),
    OTEL_RESOURCE_ATTRIBUTES: pairs.optional(),
    OTEL_TRACES_SAMPLER: z.enum(SAMPLERS, `Write one of ${SAMPLERS.join(', ')}.`).default('parentbased_always_on'),
    OTEL_TRACES_SAMPLER_ARG: decimal('a number', { min: 0, max: 1 }).default(1),
  };
}

type Forms = ReturnType<typeof tracingForms>;
export type TracingSettings = Omit<z.output<z.ZodObject<Forms>>, 'OTEL_EXPORTER_OTLP_HEADERS'> & {
  readonly OTEL_EXPORTER_OTLP_HEADERS: SealedValue | undefined;
};

/** Undefined if tracing is disabled. */
export function tracingOptions(settings: TracingSettings): Omit<TracingOptions, 'failed'> | undefined {
  const { OTEL_EXPORTER_OTLP_ENDPOINT: base, OTEL_EXPORTER_OTLP_TRACES_ENDPOINT: traces } = settings;
  const url = traces ?? (base && `${base.replace(/\/+$/, '')}/v1/traces`);
  if (url === undefined || settings.OTEL_SDK_DISABLED === 'true' || settings.OTEL_TRACES_EXPORTER === 'none') return undefined;
  return {
    service: { name: settings.OTEL_SERVICE_NAME, version: VERSION },
    attributes: pairsOf(settings.OTEL_RESOURCE_ATTRIBUTES ?? '') ?? {},
    url,
    protocol: settings.OTEL_EXPORTER_OTLP_PROTOCOL,
    headers: settings.OTEL_EXPORTER_OTLP_HEADERS?.use(pairsOf) ?? {},
    timeout: settings.OTEL_EXPORTER_OTLP_TIMEOUT,
    delay: settings.OTEL_BSP_SCHEDULE_DELAY,
    sampler: settings.OTEL_TRACES_SAMPLER,
    ratio: settings.OTEL_TRACES_SAMPLER_ARG,
  };
}

export const text = z.string().trim().min(1);

/** Scheme, host and port: an origin, without a trailing slash. A path is preserved for code hosts that have one. */
export const address = z
  .url({ protocol: /^https?$/, error: 'Write an http(s) address.' })
  .transform((value) => value.replace(/\/+$/, ''))
  .refine((value) => URL.canParse(value) && new URL(value).username === '', 'Write the address without a user name or password.');

export const hosts = z
  .string()
  .trim()
  .regex(/^[a-z0-9]+(?:[.-][a-z0-9]+)*(?::\d+)?$/, 'Write a lower-case domain, with a port if there is one.');

interface Bounds {
  readonly min: number;
  readonly max?: number;
  /** What 0 means, if it isn't just a number. */
  readonly zero?: string;
}

/** A whole number in decimal digits. The refusal says what to write, and names the bounds. */
export const wholeNumber = (what: string, bounds: Bounds) =>
  integer(bounds.min, bounds.max ?? Number.MAX_SAFE_INTEGER, refusalOf(what, bounds));

/** The same with decimals. */
const decimal = (what: string, bounds: Bounds) => {
  const message = refusalOf(what, bounds);
  return z.preprocess(
    (value) => (typeof value === 'string' && /^\d+(?:\.\d+)?$/.test(value) ? Number(value) : value),
    z
      .number(message)
      .min(bounds.min, message)
      .max(bounds.max ?? Number.MAX_VALUE, message),
  );
};

function refusalOf(what: string, { min, max, zero }: Bounds): string {
  const range = max === undefined ? `${min} or more` : `from ${min} to ${max}`;
  return `Write ${what} in decimal digits, ${range}${zero === undefined ? '' : `; 0 for ${zero}`}.`;
}

export const bytes = wholeNumber('a number of bytes', { min: 1024 });

export const port = wholeNumber('a port number', { min: 0, max: 65_535 });

const milliseconds = wholeNumber('a number of milliseconds', { min: 1 });

export const overloadDelay = wholeNumber('a number of milliseconds', { min: 0, zero: 'no limit' }).default(1000);

/** Requests per second. */
export const rateLimit = decimal('a number of requests per second', { min: 0, zero: 'no limit' });

export const rateLimitBurst = wholeNumber('a number of requests', { min: 1 });

/** With one server or several (`postgres://one:5432,two:5432/name`), one of which accepts writes. */
export const databaseAddress = z
  .string()
  .refine(
    (value) => /^postgres(?:ql)?:/.test(value) && serverAddresses(value).every((one) => URL.canParse(one)),
    'Write a postgres:// address, or omit it.',
  );

const LEVELS = ['fatal', 'error', 'warn', 'info', 'debug', 'trace', 'silent'] as const;

export const logLevel = z.enum(LEVELS, `Write one of ${LEVELS.join(', ')}.`).default('info');

/** Omitted: no metrics. 0: any free port. */
export const metricsPort = port.optional();

export const seconds = (min: number) => wholeNumber('a number of seconds', { min });

/** A bucket and the prefix of its names: empty, or ends with a slash. Undefined if it is not a bucket's address. */
function bucketOf(value: string): { bucket: string; prefix: string } | undefined {
  const [, bucket, prefix = ''] = /^s3:\/\/([a-z0-9][a-z0-9.-]{1,61}[a-z0-9])(?:\/([\w.~/-]*))?$/.exec(value) ?? [];
  const path = prefix.split('/').filter((part) => part !== '');
  return bucket === undefined ? undefined : { bucket, prefix: path.map((part) => `${part}/`).join('') };
}

/** Where code is stored if not in a folder. */
export const codeStore = z.string().transform((value, context): 'database' | { bucket: string; prefix: string } => {
  const found = value === 'database' ? value : bucketOf(value);
  if (found !== undefined) return found;
  context.addIssue({ code: 'custom', message: 'Write "database" or s3://bucket/prefix, or omit it.' });
  return z.NEVER;
});

function entriesOf(value: string): string[] {
  return value
    .split(',')
    .map((one) => one.trim())
    .filter((one) => one !== '');
}

export function list<S extends z.ZodType<string, string>>(entry: S) {
  return z.string().transform(entriesOf).pipe(z.array(entry));
}

export const networks = list(z.string().refine(isNetwork, 'Write addresses like 10.0.0.1, or networks like 10.0.0.0/8.'));

export const domain = z.string().regex(/^[a-z0-9-]+(?:\.[a-z0-9-]+)*$/, 'Write lower-case domains.');
const Issuers = z.array(z.strictObject({ issuer: z.url(), audience: z.string().min(1), domains: z.array(domain).min(1).optional() }));

export const issuers = z.string().transform((value, context): z.output<typeof Issuers> => {
  const parsed = Issuers.safeParse(readJson(value));
  if (parsed.success) return parsed.data;
  context.addIssue({
    code: 'custom',
    message:
      'Write JSON of the form [{"issuer":"https://…","audience":"…","domains":["example.com"]}]; domains, in lower case, are optional.',
  });
  return z.NEVER;
});

function readJson(value: string): unknown {
  try {
    return JSON.parse(value);
  } catch {
    return undefined;
  }
}

export function seal(value: string | undefined): SealedValue | undefined {
  return value === undefined ? undefined : new SealedValue(value);
}

/** All invalid settings, each with its name and a message, which never contains a value. */
export class SettingsProblem extends Error {
  override readonly name = 'SettingsProblem';
}

/**
 * Parses the environment; an empty variable counts as none. A setting of `secrets` may instead be in a file that `<name>_FILE` names:
 * container platforms and systemd pass secrets as files. `check` returns problems with settings that depend on each other. Throws
 * SettingsProblem.
 */
export function readEnvironment<S extends z.ZodObject>(
  schema: S,
  environment: Readonly<Record<string, string | undefined>>,
  secrets: readonly string[],
  check: (values: Readonly<Record<string, string>>) => string[] = () => [],
): z.output<S> {
  const values: Record<string, string> = {};
  for (const [name, value] of Object.entries(environment)) if (value !== undefined && value.trim() !== '') values[name] = value;
  const problems = secrets.flatMap((name) => readSecretFile(values, name) ?? []);
  const parsed = schema.safeParse(values);
  const invalid = parsed.error?.issues.map((issue) => `${String(issue.path[0] ?? 'settings')}: ${issue.message}`) ?? [];
  const lines = [...problems, ...invalid, ...check(values)];
  if (parsed.success && lines.length === 0) return parsed.data;
  throw new SettingsProblem(`These settings are wrong:\n${lines.map((line) => `  ${line}`).join('\n')}`);
}

/** Adds a secret from its file, if one is named, without surrounding white space such as the final line break. Returns a problem. */
function readSecretFile(values: Record<string, string>, name: string): string | undefined {
  const file = values[`${name}_FILE`];
  if (file === undefined) return undefined;
  if (values[name] !== undefined) return `${name}_FILE: Set this or ${name}, not both.`;
  const value = readText(file);
  if (value === '') return `${name}_FILE: Name a file that can be read and contains only the value of ${name}.`;
  values[name] = value;
  return undefined;
}

/** Empty if the file cannot be read. */
function readText(file: string): string {
  try {
    return readFileSync(file, 'utf8').trim();
  } catch {
    return '';
  }
}
