import { z } from 'zod';
import { RoleKey } from './access.ts';
import { LIMITS } from './limits.ts';
import { SecretEnd, SecretName, SecretValue } from './secret.ts';

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
