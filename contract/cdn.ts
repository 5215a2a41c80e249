import { z } from 'zod';
import { LIMITS } from './limits.ts';

const HOST = /^(?:[a-zA-Z0-9](?:[a-zA-Z0-9-]{0,61}[a-zA-Z0-9])?\.){1,5}[a-zA-Z0-9](?:[a-zA-Z0-9-]{0,61}[a-zA-Z0-9])?$/;
const HOST_RULE = 'Write a host name such as www.example.com, without "https://" and without a path.';
const Host = z.string({ error: HOST_RULE }).max(255).regex(HOST, HOST_RULE);
/** Empty while the host is not decided yet. */
const LATER_HOST = new RegExp(`^$|${HOST.source}`);
const LaterHost = z.string({ error: HOST_RULE }).max(255).regex(LATER_HOST, HOST_RULE);

const flag = z.boolean({ error: 'Write true or false, without quotation marks.' });
const text = z.string({ error: 'The CDN needs this; write a string.' });
/** What purging each kind of CDN requires in addition to its host (docs/design-facts.md 4.3). */
const KINDS = {
  fastly: { serviceId: text, authToken: text },
  cloudflare: { plan: text, zoneId: text, apiToken: text },
  akamai: { endpoint: text, clientSecret: text, clientToken: text, accessToken: text },
  managed: { envId: text.optional() },
  cloudfront: { distributionId: text, accessKeyId: text, secretAccessKey: text, tagInvalidationEnabled: flag.optional() },
} as const;
const KIND_NAMES = Object.keys(KINDS) as (keyof typeof KINDS)[];

const ofKind = <K extends keyof typeof KINDS>(kind: K) =>
  z.strictObject({ type: z.literal(kind), host: LaterHost, route: z.array(z.string()).optional(), ...KINDS[kind] });
/** Created once: creating a schema costs much more than using it. */
const BY_KIND = {
  fastly: ofKind('fastly'),
  cloudflare: ofKind('cloudflare'),
  akamai: ofKind('akamai'),
  managed: ofKind('managed'),
  cloudfront: ofKind('cloudfront'),
} satisfies Record<keyof typeof KINDS, z.ZodType>;
const HostAlone = z.strictObject({ host: Host });

/** The production part as it is read: callers who may not read all of it get everything except credentials. */
export const ShownProdCdn = z.looseObject({
  type: z.string().optional(),
  host: z.string().optional(),
  route: z.array(z.string()).optional(),
});

/** The production CDN: with the fields of its kind, or only a host. */
export const ProdCdn = ShownProdCdn.superRefine((prod, context) => {
  const kind = KIND_NAMES.find((name) => name === prod.type);
  if (prod.type !== undefined && kind === undefined) {
    const names = new Intl.ListFormat('en', { type: 'disjunction' }).format(KIND_NAMES.map((name) => `"${name}"`));
    context.addIssue({ code: 'custom', path: ['type'], message: `The type of a CDN is ${names}, not "${prod.type}".` });
    return;
  }
  const schema = kind === undefined ? HostAlone : BY_KIND[kind];
  for (const issue of schema.safeParse(prod).error?.issues ?? []) {
    if (issue.code === 'unrecognized_keys') context.addIssue({ code: issue.code, keys: issue.keys, input: prod });
    else context.addIssue({ code: 'custom', path: [...issue.path], message: issue.message });
  }
}).meta({
  description: `only a host, or by type: ${KIND_NAMES.map(described).join('; ')}`,
  anyOf: [
    { type: 'object', required: ['host'], properties: { host: pattern(HOST) }, additionalProperties: false },
    ...KIND_NAMES.map(form),
  ],
});

export const HostCdn = z.strictObject({ host: z.string().max(LIMITS.textLength) });
const host = HostCdn.optional();
export const ShownCdn = z.strictObject({ prod: ShownProdCdn.optional(), preview: host, live: host, review: host });
export const Cdn = ShownCdn.extend({ prod: ProdCdn.optional() });

/** A kind as JSON schema for the OpenAPI document, which cannot be derived from the refinement above. */
function form(kind: keyof typeof KINDS): Readonly<Record<string, unknown>> {
  const own = Object.entries(KINDS[kind]);
  const required = own.flatMap(([name, value]) => (value instanceof z.ZodOptional ? [] : [name]));
  return {
    type: 'object',
    required: ['type', 'host', ...required],
    properties: {
      type: { type: 'string', const: kind },
      host: pattern(LATER_HOST),
      route: { type: 'array', items: { type: 'string' } },
      ...Object.fromEntries(own.map(([name]) => [name, { type: name === 'tagInvalidationEnabled' ? 'boolean' : 'string' }])),
    },
    additionalProperties: false,
  };
}

function pattern({ source }: RegExp): Readonly<Record<string, unknown>> {
  return { type: 'string', maxLength: 255, pattern: source };
}

function described(kind: keyof typeof KINDS): string {
  return `"${kind}" (host, route, ${Object.keys(KINDS[kind]).join(', ')})`;
}
