import { z } from 'zod';
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
