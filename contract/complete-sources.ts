import { type CodeSource, externalSource } from './code-source.ts';
import type { FieldError } from './errors.ts';
import { REPOSITORY_SECRET } from './secret.ts';
import type { ContentSource } from './site.ts';

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
  if (isElsewhere(source, codeHost)) return { code: { ...code, owner, repo, source: toldByHost(source, { owner, repo }) }, errors };

  const url = `${codeHost}/${owner}/${repo}`;
  if (source?.url !== undefined && normal(source.url) !== normal(url)) {
    errors.push({
      pointer: '/code/source/url',
      detail: `The address of this repository is ${url}, not "${source.url}". An external repository also needs a raw_url.`,
    });
  }
  return { code: { ...code, owner, repo, source: { ...source, type: 'github', url } }, errors };
}

/** Markup has the suffix `.html` unless another is set. */
export function withSuffix(content: ContentSource): ContentSource {
  const { source } = content;
  return source.type === 'markup' ? { ...content, source: { ...source, suffix: source.suffix ?? '.html' } } : content;
}

type Source = NonNullable<CodeSource['source']>;
type AddressedSource = Extract<Source, { type: 'github' }> & { readonly url: string; readonly raw_url: string };

/**
 * A source of type `github` at another host, as the public API allows, is an external repository: recognized by its host
 * and its address for raw files.
 */
function isElsewhere(source: Source | undefined, codeHost: string): source is AddressedSource {
  if (source?.type !== 'github' || source.url === undefined || source.raw_url === undefined) return false;
  return !normal(source.url).startsWith(`${normal(codeHost)}/`);
}

/** Unchanged, unless it looks like a repository of the code host: then its type becomes `byogit`. */
function toldByHost(source: AddressedSource, name: { owner: string; repo: string }): Source {
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
