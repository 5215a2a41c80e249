import { z } from 'zod';
import { RoleKey } from './access.ts';
import { dryRun, DryRun, json, OF_ORG, OF_PROFILE, OF_SITE, type OwnerRow } from './endpoint-parts.ts';
import { endpoint, NO_QUERY, WRITE_ERRORS, WRITE_QUERY } from './endpoint.ts';
import { LIMITS } from './limits.ts';
import { placeholderProblem } from './names.ts';

/** The secret of an external repository, held by the first site that uses it (docs/contract.md 3.7). */
export const REPOSITORY_SECRET = 'cm-byog';

/** As the published schema has it (docs/design-facts.md 4.2). */
export const SecretName = z
  .string()
  .regex(/^[a-zA-Z0-9-_=]+$/, 'A secret name holds letters, digits, "-", "_" and "=".')
  .max(100);

/** The value of a secret: printable, so that it can travel in a header. */
export const SecretValue = z
  .string()
  .trim()
  .min(1, 'Write the value of the secret.')
  .max(4096)
  .regex(/^[\x21-\x7e]+$/, 'A secret holds printable characters without spaces.')
  .refine((value) => !/^<[^<>]*>$/.test(value), { error: ({ input }) => placeholderProblem(input, 'the value of the secret') });

/** When a secret expires: with an offset if not in UTC. Subscribers are notified two weeks before (docs/contract.md 9.1). */
export const SecretEnd = z.iso.datetime({
  offset: true,
  error: 'Write when the secret ends as a date and time, e.g. 2027-01-31T00:00:00Z.',
});

const given = { value: SecretValue.optional(), expires: SecretEnd.optional(), description: z.string().max(LIMITS.textLength).optional() };

/** Body of call 6. Without a value the service makes one; a description alone leaves the value of the secret that is there. */
export const SecretInput = z.strictObject(given);

/** Body of a secret whose name the service chooses. Without a value it makes that too. */
export const NewSecretInput = z.strictObject(given);

/**
 * The public view of a secret (docs/contract.md 3.8): a `key` is stored sealed and used by the service; of a `hashed` one only the hash is stored.
 */
export const SecretInfo = z.object({
  id: z.string(),
  type: z.enum(['key', 'hashed']),
  created: z.iso.datetime(),
  lastModified: z.iso.datetime(),
  expires: z.iso.datetime().optional(),
  description: z.string().optional(),
});
export type SecretInfo = z.infer<typeof SecretInfo>;

/** Secrets by their names. */
export const SecretList = z.record(z.string(), SecretInfo);
export type SecretList = z.infer<typeof SecretList>;

/** A secret that the service made: its value is shown this once. */
export const GeneratedSecret = SecretInfo.extend({ value: z.string() });
export type GeneratedSecret = z.infer<typeof GeneratedSecret>;

/** What a whole document may say of credentials, as the published schema has it (docs/design-facts.md 4.2). */
const Time = z.iso.datetime({ offset: true });
const Id = z
  .string()
  .max(LIMITS.foreignName)
  .regex(/^[a-zA-Z0-9-_=]+$/, 'An identifier holds letters, digits, "-", "_" and "=".');
const Hash = z
  .string()
  .max(LIMITS.textLength)
  .regex(/^[a-zA-Z0-9-_=]+$/, 'A hash holds letters, digits, "-", "_" and "=".');

const description = z.string().max(LIMITS.textLength).optional();
/** A secret as a document holds it: neither its value nor its hash. */
export const KeptSecret = z.strictObject({
  id: Id,
  type: z.enum(['hashed', 'key']),
  created: Time,
  lastModified: Time,
  expires: SecretEnd.optional(),
  description,
});
export type KeptSecret = z.infer<typeof KeptSecret>;

/** The same as it is sent: with its value or its hash, or redacted as it was read. */
export const SentSecret = KeptSecret.extend({ value: SecretValue.optional(), hash: Hash.optional() }).refine(
  ({ value, hash }) => value === undefined || hash === undefined,
  { path: ['hash'], message: 'Send the value of a secret or its hash, not both.' },
);
export type SentSecret = z.infer<typeof SentSecret>;

export const KeptSecrets = z.record(SecretName, KeptSecret);
export const SentSecrets = z.record(SecretName, SentSecret);

const ApiKeyName = z
  .string()
  .max(LIMITS.foreignName)
  .regex(/^[a-zA-Z0-9-_]+$/, 'The name of an API key holds letters, digits, "-" and "_".');

/** An API key that was issued elsewhere: what is told of it. It opens nothing here. */
const KeptApiKey = z.strictObject({
  id: z
    .string()
    .max(LIMITS.textLength)
    .regex(/^[a-zA-Z0-9-_/+]+$/, 'The identifier of an API key holds letters, digits, "-", "_", "/" and "+".'),
  created: Time,
  expiration: Time,
  roles: z.array(RoleKey).max(1000),
  subject: z.string().max(LIMITS.textLength),
  description,
});
export const KeptApiKeys = z.record(ApiKeyName, KeptApiKey);
export type KeptApiKeys = z.infer<typeof KeptApiKeys>;

const KeptToken = z.strictObject({ id: Id.optional(), created: Time.optional() });
/** Tokens of the public service as a document holds them: their hashes are let go, for nothing here checks them. */
export const KeptTokens = z.record(Id, KeptToken);
export type KeptTokens = z.infer<typeof KeptTokens>;
export const SentTokens = z.record(Id, KeptToken.extend({ hash: Hash.optional() }));
export type SentTokens = z.infer<typeof SentTokens>;

const name = { name: SecretName };
const ofSite = secretRows(OF_SITE, OF_SITE.params.extend(name), 6);
const ofProfile = secretRows(OF_PROFILE, OF_PROFILE.params.extend(name));
const ofOrg = secretRows(OF_ORG, OF_ORG.params.extend(name));

/** Secrets: no answer ever holds the value of one, but the answer that makes it. */
export const secretEndpoints = {
  listSecrets: ofSite.list,
  generateSecret: ofSite.generate,
  getSecret: ofSite.get,
  setSecret: ofSite.set,
  deleteSecret: ofSite.remove,
  listProfileSecrets: ofProfile.list,
  generateProfileSecret: ofProfile.generate,
  getProfileSecret: ofProfile.get,
  setProfileSecret: ofProfile.set,
  deleteProfileSecret: ofProfile.remove,
  listOrgSecrets: ofOrg.list,
  generateOrgSecret: ofOrg.generate,
  getOrgSecret: ofOrg.get,
  setOrgSecret: ofOrg.set,
  deleteOrgSecret: ofOrg.remove,
} as const;

function secretRows<Params extends z.ZodObject, Named extends z.ZodObject>(owner: OwnerRow<Params>, named: Named, call?: number) {
  const common = { tag: 'Secrets', preconditions: true } as const;
  const all = { ...common, path: `${owner.address}/secrets.json`, params: owner.params } as const;
  const one = { ...common, path: `${owner.address}/secrets/{name}.json`, params: named } as const;
  return {
    list: endpoint({
      method: 'GET',
      ...all,
      query: NO_QUERY,
      permission: owner.read,
      answers: { 200: { description: 'the secrets by name, without their values', media: ['application/json'], schema: SecretList } },
      errors: owner.missing,
      summary: `List the secrets of ${owner.noun}`,
    }),
    generate: endpoint({
      method: 'POST',
      ...all,
      query: WRITE_QUERY,
      body: json(NewSecretInput, true),
      permission: owner.write,
      answers: {
        200: dryRun,
        201: {
          description: 'created; a generated value is shown only once',
          media: ['application/json'],
          schema: z.union([GeneratedSecret, SecretInfo]),
        },
      },
      errors: [...owner.missing, ...WRITE_ERRORS],
      summary: `Create a secret of ${owner.noun} of which only the hash is stored; without a value, one is generated`,
    }),
    get: endpoint({
      method: 'GET',
      ...one,
      query: NO_QUERY,
      permission: owner.read,
      answers: { 200: { description: 'the secret without its value', media: ['application/json'], schema: SecretInfo } },
      errors: [...owner.missing, 'SECRET_NOT_FOUND'],
      summary: `Read a secret of ${owner.noun} without its value`,
    }),
    set: endpoint({
      method: 'POST',
      ...one,
      query: WRITE_QUERY,
      body: json(SecretInput, true),
      permission: owner.write,
      answers: {
        200: {
          description: 'stored encrypted, the value is never returned; a generated value is shown only once',
          media: ['application/json'],
          schema: z.union([GeneratedSecret, SecretInfo, DryRun]),
        },
      },
      errors: [...owner.missing, ...WRITE_ERRORS, 'SECRET_NOT_ALLOWED'],
      summary: `Set a secret of ${owner.noun}; without a value, one is generated, and a description alone describes the one that is there`,
      ...(call === undefined ? {} : { call }),
    }),
    remove: endpoint({
      method: 'DELETE',
      ...one,
      query: WRITE_QUERY,
      permission: owner.write,
      answers: { 200: dryRun, 204: { description: 'removed' } },
      errors: [...owner.missing, 'SECRET_NOT_FOUND'],
      summary: `Remove a secret of ${owner.noun}`,
    }),
  } as const;
}

/** A secret that was opened, pasted or configured: it prints as `[sealed]` wherever it turns up by accident. */
export class SealedValue {
  readonly #value: string;

  constructor(value: string) {
    this.#value = value;
  }

  /** The value, for the one call that needs it. */
  reveal(): string {
    return this.#value;
  }

  /** Hands the value to what needs it, and to nothing else. */
  use<T>(work: (value: string) => T): T {
    return work(this.#value);
  }

  toString(): string {
    return '[sealed]';
  }

  toJSON(): string {
    return '[sealed]';
  }

  [Symbol.for('nodejs.util.inspect.custom')](): string {
    return '[sealed]';
  }
}
