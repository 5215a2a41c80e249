import type { Failure, FailureFinding } from '#extension/setup/situation.ts';
import type { Explained } from './explained.ts';
import type { Words } from './words.ts';

/**
 * Makes a sentence and a next step of what went wrong. The service's problem document is its own sentence; a status
 * without one is the authoring system's or a host's.
 */
export function explainFailure(words: Words, failure: Failure): Explained {
  const { problem, finding } = failure;
  if (problem !== undefined) return { sentence: problem.detail, next: words.problems[problem.code] };
  if (finding !== undefined) return explainFinding(words, finding);
  switch (failure.kind) {
    case 'unreachable':
      return words.failures.unreachable;
    case 'timeout':
      return words.failures.timeout;
    case 'refused':
      return refused(words, failure);
    case 'unexpected':
      return failure.message === undefined ? words.failures.unexpected : { ...words.failures.unexpected, sentence: failure.message };
    default:
      return failure.kind satisfies never;
  }
}

/** The single fields that the service found wrong, each as a sentence. */
export function fieldSentences(failure: Failure): readonly string[] {
  return (failure.problem?.errors ?? []).map((error) => (error.pointer === '' ? error.detail : `${error.pointer}: ${error.detail}`));
}

function explainFinding(words: Words, finding: FailureFinding): Explained {
  switch (finding.kind) {
    case 'changed-meanwhile':
      return words.failures.changedMeanwhile;
    case 'page-missing':
      return words.page.pageMissing(finding.page);
    case 'blocked': {
      const { why, who } = words.blocked[finding.reason](finding.data);
      return { sentence: why, next: who };
    }
    default:
      return finding satisfies never;
  }
}

function refused(words: Words, failure: Failure): Explained {
  if (failure.status === 401) return words.failures.authoringRefused[401];
  if (failure.status === 403) return words.failures.authoringRefused[403];
  const general = words.failures.refused(failure.status);
  return failure.message === undefined ? general : { ...general, sentence: failure.message };
}
