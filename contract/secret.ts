import { z } from 'zod';

/** The secret of an external repository, held by the first site that uses it (seed design, Secret). */
export const REPOSITORY_SECRET = 'cm-byog';

export const SecretName = z
  .string()
  .regex(/^[a-z0-9]+(?:-[a-z0-9]+)*$/, 'A secret name holds lower-case letters, digits and single hyphens.')
  .max(100);

/** Body of call 6. The value is printable, so that it can travel in a header. */
export const SecretInput = z.strictObject({
  value: z
    .string()
    .trim()
    .min(1, 'Write the value of the secret.')
    .max(4096)
    .regex(/^[\x21-\x7e]+$/, 'A secret holds printable characters without spaces.'),
});

/** What is ever told of a secret: `key` is kept sealed and used by the service; of a `hashed` one only its hash is kept. */
export const SecretInfo = z.object({
  id: z.string(),
  type: z.enum(['key', 'hashed']),
  created: z.iso.datetime(),
  lastModified: z.iso.datetime(),
});
export type SecretInfo = z.infer<typeof SecretInfo>;

/** The secrets of a site by their names. */
export const SecretList = z.record(z.string(), SecretInfo);
export type SecretList = z.infer<typeof SecretList>;

/** A secret that the service made: its value is shown this once. */
export const GeneratedSecret = SecretInfo.extend({ value: z.string() });
export type GeneratedSecret = z.infer<typeof GeneratedSecret>;
