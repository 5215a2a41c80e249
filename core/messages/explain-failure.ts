import type { BlockReason, StepId } from '../plan/plan.ts';
import type { Failure, FailureFinding } from '../situation/situation.ts';
import { fill, fillFrom } from './format-message.ts';
import type { Messages, MessagesOf } from './language.ts';

/** What an author is told when something did not go well: what happened, and what to do next. */
export interface Explained {
  readonly sentence: string;
  readonly next?: string;
}

/** Why a step cannot be taken, who acts next, and what they do. The last two are empty where an earlier step says so itself. */
export interface BlockMessages {
  readonly why: string;
  readonly turn: string;
  readonly who: string;
}

/** The sentences of build management where a view has loaded them: only such a view asks it for anything. */
export type Sentences = Messages & Partial<Pick<MessagesOf<'sync'>, 'external'>>;

/**
 * Makes a sentence and a next step of what went wrong. The service's problem document is its own sentence; a status
 * without one is the authoring system's or a host's.
 */
export function explainFailure(messages: Sentences, failure: Failure): Explained {
  const { problem, finding } = failure;
  const builds = failure.system === 'build-management' ? messages.external?.failures : undefined;
  // Said of a run that the service's sentence knows nothing of.
  if (finding?.kind === 'changed-meanwhile') return messages.failures.changedMeanwhile;
  if (problem !== undefined) {
    const ofBuilds: Readonly<Partial<Record<string, string>>> = builds?.problems ?? {};
    return { sentence: problem.detail, next: ofBuilds[problem.code] ?? messages.problems[problem.code] };
  }
  if (finding !== undefined) return explainFinding(messages, finding);
  switch (failure.kind) {
    case 'unreachable':
      return failure.system === 'host' ? messages.failures.hostUnreachable : (builds ?? messages.failures).unreachable;
    case 'timeout':
      return failure.system === 'host' ? messages.failures.hostUnreachable : (builds ?? messages.failures).timeout;
    case 'refused':
      return builds === undefined ? refused(messages, failure) : fill(builds.refused, { status: failure.status });
    case 'unexpected':
      return messages.failures.unexpected;
    default:
      return failure.kind satisfies never;
  }
}

/** The single fields that the service found wrong, each as a sentence. */
export function fieldSentences(failure: Failure): readonly string[] {
  return (failure.problem?.errors ?? []).map((error) => (error.pointer === '' ? error.detail : `${error.pointer}: ${error.detail}`));
}

/** Why a step cannot be taken. In: what was found, of which `step` is the earlier step that is blocked. */
export function explainBlock(
  { blocked, steps }: Pick<Messages, 'blocked' | 'steps'>,
  reason: BlockReason,
  data: Readonly<Record<string, string>>,
): BlockMessages {
  const isStep = (step: string | undefined): step is StepId => step !== undefined && step in steps;
  const { title = isStep(data['step']) ? steps[data['step']].title : '', organization = data['org'] } = data;
  return { turn: '', who: '', ...fillFrom(blocked[blockId(reason, data['problem'])], { ...data, title, organization }) };
}

function blockId(reason: BlockReason, problem: string | undefined): keyof Messages['blocked'] {
  if (reason !== 'sync-failed') return reason;
  switch (problem) {
    case 'secret-refused':
      return 'sync-failed-by-secret';
    case 'not-readable':
    case 'repository-missing':
    case 'branch-missing':
    case 'too-large':
      return 'sync-failed-by-repository';
    case 'address-refused':
      return 'sync-failed-by-address';
    default:
      return reason;
  }
}

function explainFinding(messages: Messages, finding: FailureFinding): Explained {
  switch (finding.kind) {
    case 'changed-meanwhile':
      return messages.failures.changedMeanwhile;
    case 'plan-changed':
      return messages.failures.planChanged;
    case 'no-dry-run':
      return messages.failures.noDryRun[finding.reason];
    case 'page-missing':
      return fill(messages.page.pageMissing, { path: finding.page });
    case 'unread':
      return { ...messages.failures.unexpected, sentence: messages.failures.unread[finding.from]({ about: finding.about }) };
    case 'not-written':
      return fill(messages.failures.notWritten, { address: finding.address });
    case 'not-served':
      return { ...messages.failures.unexpected, sentence: messages.failures.notServed[finding.serves]({ address: finding.address }) };
    case 'blocked': {
      const { why, who } = explainBlock(messages, finding.reason, finding.data);
      return who === '' ? { sentence: why } : { sentence: why, next: who };
    }
    default:
      return finding satisfies never;
  }
}

function refused({ failures }: Messages, { status, message, system }: Failure): Explained {
  if (status === 401) return failures.authoringRefused[401];
  if (status === 403) return failures.authoringRefused[403];
  if (system === 'authoring') {
    if (status === 409 || status === 422) return failures.authoringRefused.unexplained;
    if (status === 300) return fill(failures.authoringTooMany, { status });
    if (status !== undefined && UNAVAILABLE.has(status)) return fill(failures.authoringUnavailable, { status });
    return fill(failures.authoringAnswered, { status: status ?? 0, said: message });
  }
  const general = fill(failures.refused, { status });
  return message === undefined ? general : { ...general, sentence: message };
}

const UNAVAILABLE: ReadonlySet<number> = new Set([429, 502, 503, 504]);
