import { z } from 'zod';
import { serverAddresses } from './db/postgres/server-addresses.ts';
import { isNetwork } from './http/client-address.ts';

export const text = z.string().trim().min(1);

/** Scheme, host and port: an origin, without a trailing slash. A path is kept for code hosts that have one. */
export const address = z
  .url({ protocol: /^https?$/, error: 'Write an http(s) address.' })
  .transform((value) => value.replace(/\/+$/, ''))
  .refine((value) => URL.canParse(value) && new URL(value).username === '', 'Write the address without a user name or password.');

export const hosts = z
  .string()
  .trim()
  .regex(/^[a-z0-9]+(?:[.-][a-z0-9]+)*(?::\d+)?$/, 'Write a lower-case domain, with a port where there is one.');

export const bytes = z.coerce.number('Write a number of bytes.').int('Write a number of bytes.').min(1024);

export const overloadDelay = z.coerce
  .number('Write a number of milliseconds, 0 for no limit.')
  .int('Write whole milliseconds.')
  .min(0)
  .default(1000);

/** With one server or several (`postgres://one:5432,two:5432/name`), of which one takes writes. */
export const databaseAddress = z
  .string()
  .refine(
    (value) => /^postgres(?:ql)?:/.test(value) && serverAddresses(value).every((one) => URL.canParse(one)),
    'Write a postgres:// address, or omit it.',
  );

const LEVELS = ['fatal', 'error', 'warn', 'info', 'debug', 'trace', 'silent'] as const;

export const logLevel = z.enum(LEVELS, `Write one of ${LEVELS.join(', ')}.`).default('info');

/** Left out: no metrics. 0: any free port. */
export const metricsPort = z.coerce.number('Write a port number.').int('Write a port number.').min(0).max(65_535).optional();

export const seconds = z.coerce.number('Write a number of seconds.').int('Write whole seconds.').min(0);

/** A bucket and what names in it begin with: empty, or it ends with a slash. Undefined for what is no address of one. */
function bucketOf(value: string): { bucket: string; prefix: string } | undefined {
  const [, bucket, prefix = ''] = /^s3:\/\/([a-z0-9][a-z0-9.-]{1,61}[a-z0-9])(?:\/([\w.~/-]*))?$/.exec(value) ?? [];
  const path = prefix.split('/').filter((part) => part !== '');
  return bucket === undefined ? undefined : { bucket, prefix: path.map((part) => `${part}/`).join('') };
}

/** Where code lies if not in a folder. */
export const codeStore = z.string().transform((value, context): 'database' | { bucket: string; prefix: string } => {
  const place = value === 'database' ? value : bucketOf(value);
  if (place !== undefined) return place;
  context.addIssue({ code: 'custom', message: 'Write "database" or s3://bucket/prefix, or omit it.' });
  return z.NEVER;
});

/** Entries separated by commas. */
export function list<S extends z.ZodType<string, string>>(entry: S) {
  return z
    .string()
    .transform((value) =>
      value
        .split(',')
        .map((one) => one.trim())
        .filter((one) => one !== ''),
    )
    .pipe(z.array(entry));
}

/** Addresses and networks of proxies. */
export const networks = list(z.string().refine(isNetwork, 'Write addresses like 10.0.0.1, or networks like 10.0.0.0/8.'));

const domain = z.string().regex(/^[a-z0-9-]+(?:\.[a-z0-9-]+)*$/);
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
