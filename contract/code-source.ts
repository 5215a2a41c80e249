import { z } from 'zod';
import { LIMITS } from './limits.ts';
import { placeholderProblem } from './names.ts';

/** The name of a repository, or of its owner. */
export const RepositoryName = z
  .string()
  .max(LIMITS.foreignName)
  .regex(/^[a-zA-Z0-9_.-]+$/, 'Use only letters, digits, "_", "." and "-".')
  .refine((name) => name !== '.' && name !== '..', 'Write the name of a repository or owner.');
const address = z
  .url({ protocol: /^https?$/, error: ({ input }) => placeholderProblem(input, 'its value') ?? 'Write an http(s) address.' })
  .max(LIMITS.addressLength, `An address has at most ${LIMITS.addressLength} characters.`)
  .refine((url) => placeholderProblem(url, '') === undefined, {
    error: ({ input }) => placeholderProblem(input, 'its value') ?? 'Write an http(s) address.',
  });

export const CodeSourceType = z.enum(['github', 'byogit'], { error: 'The code source type is "github" or "byogit".' });

export const GithubSource = z.strictObject({
  type: z.literal('github'),
  url: address.optional(),
  raw_url: address.optional(),
  owner: RepositoryName.optional(),
  repo: RepositoryName.optional(),
  secretId: z
    .string()
    .max(LIMITS.foreignName)
    .regex(/^[a-zA-Z0-9-_=]+$/, 'Write the name of a secret.')
    .optional(),
});

export const ByogitSource = z.strictObject({
  type: z.literal('byogit'),
  url: address,
  raw_url: address,
  owner: RepositoryName.optional(),
  repo: RepositoryName.optional(),
  secretId: z.literal('cm-byog', { error: 'The name of the secret is "cm-byog".' }).optional(),
});

/** Where the code is (docs/contract.md 3.3). `owner` and `repo` may be given in `source` only (call 5). */
export const CodeSource = z.looseObject({
  title: z.string().max(LIMITS.textLength).optional(),
  description: z.string().max(LIMITS.textLength).optional(),
  owner: RepositoryName.optional(),
  repo: RepositoryName.optional(),
  source: z.discriminatedUnion('type', [GithubSource, ByogitSource], { error: 'The code source type is "github" or "byogit".' }).optional(),
});
export type CodeSource = z.infer<typeof CodeSource>;

/** An external repository (docs/contract.md 3.3), in either of the two spellings. */
export interface ExternalSource {
  readonly url: string;
  readonly rawUrl: string;
  /** The name of its secret, at the site that holds it. */
  readonly secretId?: string;
}

/**
 * The external repository that a code source names; undefined if its code is on the code host. A source of type `github`
 * is external if it has an address for raw files and its own address does not end with the repository's name.
 */
export function externalSource(code: CodeSource | undefined): ExternalSource | undefined {
  const { source } = code ?? {};
  if (source?.url === undefined || source.raw_url === undefined) return undefined;
  const { type, url, raw_url: rawUrl, secretId } = source;
  if (type === 'github' && endsWithName(url, code?.owner ?? source.owner, code?.repo ?? source.repo)) return undefined;
  return { url, rawUrl, ...(secretId === undefined ? {} : { secretId }) };
}

function endsWithName(url: string, owner: string | undefined, repo: string | undefined): boolean {
  const plain = url.replace(/\/$/, '').replace(/\.git$/, '');
  return plain.toLowerCase().endsWith(`/${owner}/${repo}`.toLowerCase());
}
