import type { Problem } from '@repoless/contract/errors.ts';
import type { SealedValue } from '@repoless/contract/secret.ts';

/** One exact call, which is shown, copied as curl, and sent. */
export interface Call {
  readonly target: 'service' | 'authoring' | 'host' | 'build-management';
  readonly method: 'GET' | 'PUT' | 'POST' | 'DELETE';
  /** `service`: path and query below the service's address. Others: a complete address. */
  readonly address: string;
  readonly body?:
    | { readonly type: 'json'; readonly value: unknown }
    | { readonly type: 'form'; readonly fields: readonly (readonly [string, string])[] }
    /** `{value}` of call 6; never printed. */
    | { readonly type: 'secret'; readonly value: SealedValue };
  readonly ifMatch?: string;
  /**
   * What is stored at the call's path according to the plan (undefined: nothing). It is read with its etag immediately before the call, so
   * that concurrent changes are never replaced.
   */
  readonly replaces?: { readonly value: unknown };
  /**
   * For the authoring system: a call that changes nothing as long as what the plan knows is still so. Otherwise this one is not sent, so
   * that what someone else created in the meantime is not replaced.
   */
  readonly assumes?: Call;
  /** The call creates something and must not replace what someone else created. */
  readonly ifNoneMatch?: '*';
}

export type Known<T> =
  { readonly state: 'known'; readonly value: T } | { readonly state: 'missing' } | { readonly state: 'failed'; readonly failure: Failure };

/** Why something that was requested failed, as data that core/messages turns into a message. */
export interface Failure {
  readonly kind: 'refused' | 'unreachable' | 'timeout' | 'unexpected';
  readonly status?: number;
  readonly problem?: Problem;
  readonly message?: string;
  /** The system that answered, or didn't; the configuration service if omitted. */
  readonly system?: 'authoring' | 'host' | 'build-management';
  /** What was found on this side; core/messages has the message. */
  readonly finding?: FailureFinding;
  /** Seconds after which to retry. */
  readonly retryAfter?: number;
}

export type FailureFinding =
  /** `created`: the page that someone else created before the run did. */
  | { readonly kind: 'changed-meanwhile'; readonly created?: string }
  /** Something changed after the plan was shown, so that more would be written than it showed. */
  | { readonly kind: 'plan-changed' }
  /** The service does not announce dry runs, or answered one as if it were a write. */
  | { readonly kind: 'no-dry-run'; readonly reason: 'not-announced' | 'ignored' }
  | { readonly kind: 'page-missing'; readonly page: string }
  /** An answer in an unexpected form. `about`: the path of the page, the host's address, or what is wrong in it and where. */
  | { readonly kind: 'unread'; readonly from: 'authoring' | 'host' | 'service'; readonly about: string }
  /** The authoring system answered as if it had stored the value, but has not. */
  | { readonly kind: 'not-written'; readonly address: string }
  /** A host does not serve what the service stores: it serves nothing, or something else. */
  | { readonly kind: 'not-served'; readonly serves: 'nothing' | 'other' | 'not-yet'; readonly address: string }
  | { readonly kind: 'blocked'; readonly reason: BlockReason; readonly data: Readonly<Record<string, string>> }
  /** A write to the authoring system that would fail, found before the first write. */
  | { readonly kind: 'obstacle'; readonly reason: ObstacleReason; readonly data: Readonly<Record<string, string>> };

export type ObstacleReason =
  /** Someone else has locked the page. */
  | 'locked'
  /** The caller may not write there. */
  | 'not-writable'
  /** The configuration page has no existing parent. */
  | 'configuration-page-parent'
  /** The authoring system would create the configuration page under another name. */
  | 'configuration-page-name'
  /** Something else than a configuration page has its path. */
  | 'configuration-page-type';

export type BlockReason =
  | 'not-signed-in'
  | 'answer-unread'
  | 'organization-missing'
  | 'organization-not-claimed'
  | 'not-administrator'
  | 'name-invalid'
  | 'host-label-too-long'
  | 'mapping-invalid'
  | 'technical-account-missing'
  | 'content-root-taken'
  | 'base-of-sites'
  | 'secret-of-sites'
  | 'sites-unlisted'
  | 'version-missing'
  | 'secret-missing'
  | 'secret-invalid'
  | 'inherited-configuration'
  | 'cloud-configuration-missing'
  | 'cloud-configuration-taken'
  | 'configuration-page-type'
  | 'repository-missing'
  | 'repository-private'
  | 'repository-not-ready'
  | 'branch-missing'
  | 'code-host-unreachable'
  | 'sync-failed'
  | 'sync-slow'
  | 'sync-stopped'
  | 'editor-files-missing'
  | 'editor-files-not-served'
  | 'host-guarded'
  | 'configuration-not-served'
  | 'content-missing'
  | 'content-refused'
  | 'content-unreachable'
  | 'technical-account-mismatch'
  | 'technical-account-unlisted'
  | 'not-checkable'
  | 'refused'
  | 'service-unreachable'
  | 'authoring-unreachable'
  | 'earlier-step';

/** The service does not know the caller (any more); refusals by the authoring system don't count. */
export function isSignedOut({ problem }: Failure): boolean {
  return problem?.code === 'NOT_AUTHENTICATED' || problem?.code === 'TOKEN_REFUSED';
}

/** The service has no dry runs: refusals appear only when the step runs. */
export function hasNoDryRun(answer: Known<unknown> | undefined): boolean {
  const finding = answer?.state === 'failed' ? answer.failure.finding : undefined;
  return finding?.kind === 'no-dry-run' && finding.reason === 'not-announced';
}

/** Reported if something required does not exist, like the service's own refusal. */
export const NOT_FOUND: Failure = { kind: 'refused', status: 404 };

type Unknown = Exclude<Known<unknown>, { state: 'known' }>;

/** Why an answer has no value; undefined if it has one. Missing is reported as a refusal with 404. */
export function failureOf(answer: Unknown): Failure;
export function failureOf(answer: Known<unknown>): Failure | undefined;
export function failureOf(answer: Known<unknown>): Failure | undefined {
  if (answer.state === 'missing') return NOT_FOUND;
  return answer.state === 'failed' ? answer.failure : undefined;
}

/** Why the first of these could not be read, if one failed; what is missing was read. */
export function firstFailure(...answers: readonly (Known<unknown> | undefined)[]): Failure | undefined {
  for (const answer of answers) if (answer?.state === 'failed') return answer.failure;
  return undefined;
}

/** Problems of the service after which a write may still have been stored: its commit may have succeeded before the answer. */
const UNDECIDED: ReadonlySet<string> = new Set(['INTERNAL', 'STORAGE_UNAVAILABLE']);

/**
 * Whether a write that failed in this way may have been stored: its answer was lost, came from an intermediary, or could not be read.
 * The stored state must be read again before anything is reported.
 */
export function isUncertain({ kind, status, problem, finding }: Failure): boolean {
  if (problem !== undefined) return UNDECIDED.has(problem.code);
  switch (kind) {
    case 'unreachable':
    case 'timeout':
      return true;
    case 'refused':
      return status !== undefined && status >= 500;
    case 'unexpected':
      return finding === undefined || finding.kind === 'unread';
    default:
      return kind satisfies never;
  }
}

/**
 * The remaining failure of a removal. Takes its failure (undefined if it succeeded) and a function that reads whether the subject still
 * exists. Returns undefined if the answer was lost but the subject no longer exists.
 */
export async function failureUnlessMissing(
  failure: Failure | undefined,
  exists: () => Promise<Known<boolean>>,
): Promise<Failure | undefined> {
  if (failure === undefined || !isUncertain(failure)) return failure;
  const found = await exists();
  return found.state === 'known' && !found.value ? undefined : failure;
}

export function anyOf<T>(read: Known<readonly T[]>, matches: (one: T) => boolean): Known<boolean> {
  return read.state === 'known' ? { state: 'known', value: read.value.some(matches) } : read;
}

/** The service answers as if there were no such organization: it is not claimed, or the caller only has roles on single sites. */
export function hasNoOrganization(answer: Known<unknown>): boolean {
  return answer.state === 'missing' || (answer.state === 'failed' && answer.failure.problem?.code === 'ORG_NOT_FOUND');
}
