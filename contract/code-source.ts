import { z } from 'zod';
import type { FieldError } from './errors.ts';
import { LIMITS } from './limits.ts';
import { placeholderProblem } from './names.ts';
import { REPOSITORY_SECRET } from './secret.ts';

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

/**
 * Completes a code source: owner and repo from its source, the address of a `github` repository from both
 * (docs/contract.md 3.3). Takes the code as sent, and scheme and host of the code host. Returns the code to store,
 * and errors with pointers into the site.
 */
export function completeCode(code: CodeSource, codeHost: string): { code: CodeSource; errors: FieldError[] } {
  const { source } = code;
  const fromUrl = source?.type === 'github' && source.url !== undefined ? readUrl(source.url, codeHost) : undefined;
  const owner = code.owner ?? source?.owner ?? fromUrl?.owner;
  const repo = code.repo ?? source?.repo ?? fromUrl?.repo;
  const errors = [...differences(code), ...missing(owner, repo)];
  if (owner === undefined || repo === undefined) return { code, errors };
  if (source?.type === 'byogit') return { code: { ...code, owner, repo, source }, errors };
  if (isExternal(source, codeHost)) return { code: { ...code, owner, repo, source: withTypeOfHost(source, { owner, repo }) }, errors };

  const url = `${codeHost}/${owner}/${repo}`;
  if (source?.url !== undefined && normal(source.url) !== normal(url)) {
    errors.push({
      pointer: '/code/source/url',
      detail: `The address of this repository is ${url}, not "${source.url}". An external repository also needs a raw_url.`,
    });
  }
  return { code: { ...code, owner, repo, source: { ...source, type: 'github', url } }, errors };
}

type Source = NonNullable<CodeSource['source']>;

type AddressedSource = Extract<Source, { type: 'github' }> & { readonly url: string; readonly raw_url: string };

/**
 * A source of type `github` at another host, as the public API allows, is an external repository: recognized by its host
 * and its address for raw files.
 */
function isExternal(source: Source | undefined, codeHost: string): source is AddressedSource {
  if (source?.type !== 'github' || source.url === undefined || source.raw_url === undefined) return false;
  return !normal(source.url).startsWith(`${normal(codeHost)}/`);
}

/** Unchanged, unless it looks like a repository of the code host: then its type becomes `byogit`. */
function withTypeOfHost(source: AddressedSource, name: { owner: string; repo: string }): Source {
  if (externalSource({ ...name, source }) !== undefined) return source;
  const { secretId, ...rest } = source;
  return { ...rest, type: 'byogit', ...(secretId === undefined ? {} : { secretId: REPOSITORY_SECRET }) };
}

function differences(code: CodeSource): FieldError[] {
  return (['owner', 'repo'] as const).flatMap((field) => {
    const [outer, inner] = [code[field], code.source?.[field]];
    if (outer === undefined || inner === undefined || outer === inner) return [];
    return [
      {
        pointer: `/code/source/${field}`,
        detail: `"${inner}" differs from code.${field} "${outer}". Use the same value, or only one of them.`,
      },
    ];
  });
}

function missing(owner: string | undefined, repo: string | undefined): FieldError[] {
  return [
    ...(owner === undefined ? [{ pointer: '/code/owner', detail: 'Specify the owner of the code repository.' }] : []),
    ...(repo === undefined ? [{ pointer: '/code/repo', detail: 'Specify the code repository of the site.' }] : []),
  ];
}

function readUrl(url: string, codeHost: string): { owner: string; repo: string } | undefined {
  const rest = normal(url);
  const [owner, repo, ...more] = rest.startsWith(`${normal(codeHost)}/`) ? pathOf(url) : [];
  return owner !== undefined && repo !== undefined && more.length === 0 ? { owner, repo } : undefined;
}

function pathOf(url: string): string[] {
  return new URL(url).pathname
    .replace(/\.git\/?$/, '')
    .split('/')
    .filter((segment) => segment !== '');
}

function normal(url: string): string {
  return url
    .replace(/\/$/, '')
    .replace(/\.git$/, '')
    .toLowerCase();
}
