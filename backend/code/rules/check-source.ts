import type { CodeSource } from '@repoless/contract/code-source.ts';
import type { ErrorCode } from '@repoless/contract/errors.ts';
import type { Context } from '../../domain/context.ts';
import { Refusal } from '../../domain/errors.ts';
import { requireUser } from '../../access/permit.ts';
import { originOf } from './code-origin.ts';
import type { CodeOrigin } from './code-origin.ts';
import type { CodeRequest, CodeStanding } from './code-sources.ts';

/** The origin that a change brings; undefined where it brings none. */
export function changedOrigin(org: string, before: CodeSource | undefined, after: CodeSource | undefined): CodeOrigin | undefined {
  const origin = originOf(org, after);
  return origin?.key === originOf(org, before)?.key ? undefined : origin;
}

/** Whether it was found lately. */
export function isKnownSource({ codeSources }: Context, org: string, origin: CodeOrigin): boolean {
  return codeSources.wasFound(codeRequestOf(org, origin));
}

/** Asks for it, and refuses where it cannot be used. */
export async function requireUsable({ codeSources }: Context, org: string, origin: CodeOrigin): Promise<void> {
  const standing = await codeSources.repository(codeRequestOf(org, origin));
  const code = problemOf(origin, standing);
  if (code === undefined) return;
  const { owner, repo } = origin;
  throw new Refusal(code, standing.detail, {
    data: { owner, repo },
    errors: [{ pointer: '/code/repo', detail: standing.detail }],
    ...(standing.repository === 'unreachable' && { retryAfter: 30 }),
  });
}

function problemOf(origin: CodeOrigin, { repository, state = 'READY' }: CodeStanding): ErrorCode | undefined {
  switch (repository) {
    case 'unchecked':
      return undefined;
    case 'found':
      return state === 'READY' ? undefined : 'REPOSITORY_NOT_READY';
    case 'missing':
      return 'CODE_SOURCE_NOT_FOUND';
    case 'refused':
      return 'CODE_SOURCE_REFUSED';
    case 'unreachable':
      return origin.type === 'github' ? 'CODE_HOST_UNREACHABLE' : 'BUILD_MANAGEMENT_UNREACHABLE';
    default:
      return repository satisfies never;
  }
}

function codeRequestOf(org: string, origin: CodeOrigin): CodeRequest {
  const { owner, repo } = origin;
  return origin.type === 'github'
    ? { org, type: 'github', owner, repo }
    : { org, type: 'byogit', owner, repo, url: origin.url, rawUrl: origin.rawUrl };
}

/** Only an operator may leave the question out. */
export function requireOperator({ caller, settings }: Context): void {
  const { names } = requireUser(caller);
  if (names.some((name) => settings.operators.includes(name))) return;
  const sentence = 'Only an operator of the service may store a code source unchecked. Omit unchecked.';
  throw new Refusal('NOT_AUTHORIZED', sentence);
}
