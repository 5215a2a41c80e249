import { createHash } from 'node:crypto';
import { externalSource } from '@repoless/contract/code-source.ts';
import type { CodeSource } from '@repoless/contract/code-source.ts';
import type { FieldError } from '@repoless/contract/errors.ts';
import { hostLabelProblem, DEFAULT_REF } from '@repoless/contract/names.ts';
import { REPOSITORY_SECRET } from '@repoless/contract/secret.ts';
import type { ContentSource, Site, SiteInput } from '@repoless/contract/site.ts';
import { canonical } from '../domain/canonical.ts';
import type { DomainSettings } from '../domain/context.ts';
import { Refusal } from '../domain/errors.ts';
import { withoutValues } from '../secrets/take-secrets.ts';
import { headerErrors } from './header-errors.ts';
import { refuseErrors } from './check-site.ts';
import type { SiteName } from './check-site.ts';

/**
 * Completes what a client sent into the document to store, and refuses what breaks a rule across fields (docs/contract.md
 * 3.2). `checkAggregate` checks what may come from a profile. `times`: when the site was created, and now.
 */
export function completeSite(
  name: SiteName,
  input: SiteInput,
  times: { readonly created: string; readonly now: string },
  settings: Pick<DomainSettings, 'codeHost'>,
): Site {
  const problem = hostLabelProblem(DEFAULT_REF, name.site, name.org);
  if (problem !== undefined) throw new Refusal('HOST_LABEL_TOO_LONG', problem);
  const code = input.code === undefined ? undefined : completeCode(input.code, settings.codeHost);
  const content = input.content === undefined ? undefined : completeContent(input.content);
  refuseErrors([...(code?.errors ?? []), ...(content?.errors ?? []), ...headerErrors(input.headers)]);
  return canonical({
    ...input,
    ...withoutValues(input),
    version: 1,
    name: name.site,
    created: times.created,
    lastModified: times.now,
    ...(code === undefined ? {} : { code: code.code }),
    ...(content === undefined ? {} : { content: content.content }),
  } satisfies Site);
}

/** A part as `completeSite` stores it. In: the part as it was parsed, scheme and host of the code host. */
export function completePart(part: string, value: unknown, codeHost: string): unknown {
  // Safe: the value was parsed by the schema of this name.
  if (part === 'code' && value !== undefined) return completeCode(value as CodeSource, codeHost).code;
  if (part === 'content' && value !== undefined) return completeContent(value as ContentSource).content;
  return value;
}

/**
 * Completes a code source: owner and repo from its source, the address of a `github` repository from both
 * (docs/contract.md 3.3). In: the code as sent, scheme and host of the code host. Out: the code to store, and what is
 * wrong with it, by pointers into the site.
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

/** Completes a content source: the default suffix of markup, and `contentBusId`. */
export function completeContent(content: ContentSource): { content: ContentSource; errors: FieldError[] } {
  const { source } = content;
  const url = new URL(source.url);
  const errors: FieldError[] =
    url.username === '' && url.password === ''
      ? []
      : [{ pointer: '/content/source/url', detail: 'Remove the user name and password from the address; others can read it.' }];
  const suffix = source.type === 'markup' ? { suffix: source.suffix ?? DEFAULT_SUFFIX } : {};
  const contentBusId = createHash('sha256').update(source.url).digest('hex').slice(0, CONTENT_BUS_ID_LENGTH);
  return { content: { ...content, contentBusId, source: { ...source, ...suffix } }, errors };
}

type Source = NonNullable<CodeSource['source']>;
type AddressedSource = Extract<Source, { type: 'github' }> & { readonly url: string; readonly raw_url: string };

/**
 * A source of the type `github` at another host, as the public API knows them, is an external repository: it is told by its
 * host, and has an address for raw files.
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

const DEFAULT_SUFFIX = '.html';
const CONTENT_BUS_ID_LENGTH = 59;
