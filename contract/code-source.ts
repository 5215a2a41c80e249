import { z } from 'zod';

/** The name of a repository, or of its owner. */
export const RepositoryName = z
  .string()
  .regex(/^[a-zA-Z0-9_.-]+$/, 'Use only letters, digits, "_", "." and "-".')
  .refine((name) => name !== '.' && name !== '..', 'Write the name of a repository or owner.');
const address = z.url({ protocol: /^https?$/, error: 'Write an http(s) address.' });

export const GithubSource = z.strictObject({
  type: z.literal('github'),
  url: address.optional(),
  owner: RepositoryName.optional(),
  repo: RepositoryName.optional(),
});

export const ByogitSource = z.strictObject({
  type: z.literal('byogit'),
  url: address,
  raw_url: address,
  owner: RepositoryName.optional(),
  repo: RepositoryName.optional(),
  secretId: z.literal('cm-byog', { error: 'The name of the secret is "cm-byog".' }).optional(),
});

/** Where the code lives (seed design: code.*). `owner` and `repo` may stand in `source` alone (call 5). */
export const CodeSource = z.strictObject({
  owner: RepositoryName.optional(),
  repo: RepositoryName.optional(),
  source: z.discriminatedUnion('type', [GithubSource, ByogitSource], { error: 'The code source type is "github" or "byogit".' }).optional(),
});
export type CodeSource = z.infer<typeof CodeSource>;
