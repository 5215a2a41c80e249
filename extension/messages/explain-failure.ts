import type { Failure, FailureFinding } from '#extension/setup/situation.ts';
import type { Explained } from './explained.ts';
import type { Messages, MessagesOf } from './language.ts';

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
  if (problem !== undefined) return { sentence: problem.detail, next: builds?.problems[problem.code] ?? messages.problems[problem.code] };
  if (finding !== undefined) return explainFinding(messages, finding);
  switch (failure.kind) {
    case 'unreachable':
      return failure.system === 'host' ? messages.failures.hostUnreachable : (builds ?? messages.failures).unreachable;
    case 'timeout':
      return failure.system === 'host' ? messages.failures.hostUnreachable : (builds ?? messages.failures).timeout;
    case 'refused':
      return builds === undefined ? refused(messages, failure) : builds.refused(failure.status);
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

function explainFinding(messages: Messages, finding: FailureFinding): Explained {
  switch (finding.kind) {
    case 'changed-meanwhile':
      return messages.failures.changedMeanwhile;
    case 'plan-changed':
      return messages.failures.planChanged;
    case 'no-dry-run':
      return messages.failures.noDryRun[finding.reason];
    case 'page-missing':
      return messages.page.pageMissing(finding.page);
    case 'unread':
      return { ...messages.failures.unexpected, sentence: messages.failures.unread[finding.from](finding.about) };
    case 'not-written':
      return messages.failures.notWritten(finding.address);
    case 'not-served':
      return { ...messages.failures.unexpected, sentence: messages.failures.notServed[finding.serves](finding.address) };
    case 'blocked': {
      const { why, who } = messages.blocked[finding.reason](finding.data);
      return who === '' ? { sentence: why } : { sentence: why, next: who };
    }
    default:
      return finding satisfies never;
  }
}

function refused(messages: Messages, { status, message, system }: Failure): Explained {
  if (status === 401) return messages.failures.authoringRefused[401];
  if (status === 403) return messages.failures.authoringRefused[403];
  if (system === 'authoring' && (status === 409 || status === 422)) return messages.failures.authoringRefused.unexplained;
  if (system === 'authoring') return messages.failures.authoringAnswered(status ?? 0, message);
  const general = messages.failures.refused(status);
  return message === undefined ? general : { ...general, sentence: message };
}
