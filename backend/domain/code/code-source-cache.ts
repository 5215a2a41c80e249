import type { CodeSource } from '#contract/code-source.ts';
import type { ErrorCode } from '#contract/errors.ts';
import type { Change } from '../changes/change.ts';
import { readWithin } from '../changes/run-change.ts';
import type { Context } from '../context.ts';
import { Refusal } from '../errors.ts';
import { requireUser } from '../roles/permit.ts';
import { originOf } from './code-origin.ts';
import type { CodeOrigin } from './code-origin.ts';
import type { CodeRequest, CodeStanding } from './code-sources.ts';

/** Interrupts a change that brings a code source which nobody has asked for yet. */
class Unasked extends Error {
  readonly origin: CodeOrigin;

  constructor(origin: CodeOrigin) {
    super('The code source must be checked first.');
    this.origin = origin;
  }
}

/** Lets a change go on where the code source, as it shall be stored, is known to be there. In: before and after. */
export type RequireSource = (before: CodeSource | undefined, after: CodeSource | undefined) => void;

interface Asking extends Pick<Change, 'view'> {
  readonly org: string;
  readonly query: { readonly unchecked?: boolean | undefined };
}

/**
 * Runs a change, whose rules call `require` as the last one. No transaction waits for another system: a change that brings a
 * code source which is not known is broken off, the source is asked for, and the change begins anew. Refuses where it cannot
 * be used; an operator may leave the question out.
 */
export async function withKnownSources<T>(context: Context, asking: Asking, run: (require: RequireSource) => Promise<T>): Promise<T> {
  const { unchecked = false } = asking.query;
  if (unchecked) requireOperator(context);
  const asked = new Set<string>();
  const require: RequireSource = (before, after) => {
    const origin = changedOrigin(asking.org, before, after);
    if (origin === undefined || unchecked || asked.has(origin.key)) return;
    if (!context.codeSources.wasFound(codeRequestOf(asking.org, origin))) throw new Unasked(origin);
  };
  for (;;) {
    try {
      return await run(require);
    } catch (error) {
      // Each round asks for another source, and the bound holds where somebody keeps changing a profile meanwhile.
      if (!(error instanceof Unasked) || asked.size >= MOST_SOURCES) throw error;
      await readWithin(asking, () => requireUsable(context, asking.org, error.origin));
      asked.add(error.origin.key);
    }
  }
}

/** The origin that a change brings; undefined where it brings none. */
export function changedOrigin(org: string, before: CodeSource | undefined, after: CodeSource | undefined): CodeOrigin | undefined {
  const origin = originOf(org, after);
  return origin?.key === originOf(org, before)?.key ? undefined : origin;
}

async function requireUsable({ codeSources }: Context, org: string, origin: CodeOrigin): Promise<void> {
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

function requireOperator({ caller, settings }: Context): void {
  const { names } = requireUser(caller);
  if (names.some((name) => settings.operators.includes(name))) return;
  const sentence = 'Only an operator of the service may store a code source unchecked. Omit unchecked.';
  throw new Refusal('NOT_AUTHORIZED', sentence);
}

const MOST_SOURCES = 3;
