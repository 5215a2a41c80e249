import { z } from 'zod';

const repositoryName = z
  .string()
  .regex(/^[a-zA-Z0-9_.-]+$/, 'Use only letters, digits, "_", "." and "-".')
  .refine((name) => name !== '.' && name !== '..', 'Write the name of a repository or owner.');
const address = z.url({ protocol: /^https?$/, error: 'Write an http(s) address.' });

export const GithubSource = z.strictObject({
  type: z.literal('github'),
  url: address.optional(),
  owner: repositoryName.optional(),
  repo: repositoryName.optional(),
});

export const ByogitSource = z.strictObject({
  type: z.literal('byogit'),
  url: address,
  raw_url: address,
  owner: repositoryName.optional(),
  repo: repositoryName.optional(),
  secretId: z.literal('cm-byog', { error: 'The name of the secret is "cm-byog".' }).optional(),
});

/** Where the code lives (seed design: code.*). `owner` and `repo` may stand in `source` alone (call 5). */
export const CodeSource = z.strictObject({
  owner: repositoryName.optional(),
  repo: repositoryName.optional(),
  source: z.discriminatedUnion('type', [GithubSource, ByogitSource], { error: 'The code source type is "github" or "byogit".' }).optional(),
});
export type CodeSource = z.infer<typeof CodeSource>;
