import type { FieldError } from '@repoless/contract/errors.ts';
import type { StepId } from '../plan/plan.ts';
import type { BlockReason, Failure, FailureFinding } from '../situation/call.ts';
import { fill, fillFrom } from './format-message.ts';
import type { Messages, MessagesOf, ServiceProblem } from './language.ts';

/** The explanation of a failure for an author: what happened, and what to do next. */
export interface Explained {
  readonly sentence: string;
  readonly next?: string;
}

/** Why a step is blocked, for whom it waits, and what they do next. The last two are empty if an earlier step says so itself. */
export interface BlockMessages {
  readonly why: string;
  readonly waitsFor: string;
  readonly next: string;
}

/** With the sentences about build management and about writes that would fail, if a view has loaded them: only such views cause them. */
export type Sentences = Messages &
  Partial<Pick<MessagesOf<'sync'>, 'external'> & Pick<MessagesOf<'setup'>, 'obstacles'> & Pick<MessagesOf<'sites'>, 'rowProblems'>>;

/**
 * Explains a failure and the next step: the service's problem document by its code; a status without one comes from the authoring system or
 * a host.
 */
export function explainFailure(messages: Sentences, failure: Failure): Explained {
  const { problem, finding } = failure;
  const builds = failure.system === 'build-management' ? messages.external?.failures : undefined;
  // About a run, which the service's sentence doesn't cover.
  if (finding?.kind === 'changed-meanwhile') return messages.failures.changedMeanwhile;
  if (problem !== undefined) {
    const ofBuilds: Readonly<Partial<Record<string, string>>> = builds?.problems ?? {};
    const ofService: Readonly<Partial<Record<string, string>>> = messages.service?.next ?? {};
    const next = ofBuilds[problem.code] ?? ofService[problem.code];
    return { sentence: serviceSentence(messages, problem), ...(next === undefined ? {} : { next }) };
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

export function serviceSentence({ service }: Pick<Messages, 'service'>, problem: ServiceProblem): string {
  return service !== undefined && 'problem' in service ? service.problem(problem) : problem.detail;
}

/** The service's answer in the reader's language; undefined if there was none. */
export function serviceAnswer(messages: Pick<Messages, 'service'>, { problem }: Failure): string | undefined {
  return problem === undefined ? undefined : serviceSentence(messages, problem);
}

/** What is wrong with a value, from the sentence of the contract or the service. */
export function valueProblem({ service }: Pick<Messages, 'service'>, error: Omit<FieldError, 'pointer'>): string {
  return service !== undefined && 'value' in service ? service.value(error) : error.detail;
}

/** What the service says about code, in the reader's language: of a code source, or why a sync failed or waits. */
export function codeText({ service }: Pick<Messages, 'service'>, sentence: string): string {
  return service !== undefined && 'code' in service ? service.code(sentence) : sentence;
}

/** A sentence for each field that the service found invalid, except what the failure's own sentence says. */
export function fieldSentences({ service }: Pick<Messages, 'service'>, { problem }: Failure): readonly string[] {
  const { errors = [] } = problem ?? {};
  if (problem === undefined || service === undefined || !('problem' in service))
    return errors.map(({ pointer, detail }) => (pointer === '' ? detail : `${pointer}: ${detail}`));
  const sentence = service.problem(problem);
  return errors
    .filter(({ detail }) => detail !== problem.detail)
    .map((error) => service.field(error))
    .filter((field) => !sentence.includes(field));
}

/** A problem that is stored with what it happened to: older ones have no code. */
export function problemText(
  messages: Pick<Messages, 'service'>,
  { code, ...problem }: Omit<ServiceProblem, 'code'> & { readonly code?: string | undefined },
): string {
  return code === undefined ? codeText(messages, problem.detail) : serviceSentence(messages, { code, ...problem });
}

/** Why a step is blocked. In the data, `step` is the earlier step that is blocked. */
export function explainBlock(
  messages: Pick<Messages, 'blocked' | 'steps' | 'service'>,
  reason: BlockReason,
  data: Readonly<Record<string, string>>,
): BlockMessages {
  const { blocked, steps } = messages;
  const isStep = (step: string | undefined): step is StepId => step !== undefined && step in steps;
  const { title = isStep(data['step']) ? steps[data['step']].title : '', organization = data['org'] } = data;
  return {
    waitsFor: '',
    next: '',
    ...fillFrom(blocked[blockId(reason, data['problem'])], { ...data, ...problemTextOf(messages, data), title, organization }),
  };
}

/** The service's sentences that are part of the data of a blocked step or row, or of a finding. */
export function problemTextOf(
  messages: Pick<Messages, 'service'>,
  { code, detail, problem, error, ...data }: Readonly<Record<string, string>>,
): { detail?: string; problem?: string; error?: string } {
  const errors = problem === undefined ? [] : [{ pointer: '', detail: problem }];
  return {
    ...(error === undefined ? {} : { error: codeText(messages, error) }),
    ...(problem === undefined ? {} : { problem: valueProblem(messages, { detail: problem }) }),
    ...(detail === undefined || detail === '' ? {} : { detail: problemText(messages, { code, detail, data, errors }) }),
  };
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

function explainFinding(messages: Sentences, finding: FailureFinding): Explained {
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
      const { why, next } = explainBlock(messages, finding.reason, finding.data);
      return next === '' ? { sentence: why } : { sentence: why, next };
    }
    case 'obstacle':
      return fillFrom(
        (messages.obstacles ?? messages.rowProblems)?.[finding.reason] ?? messages.failures.authoringRefused[403],
        finding.data,
      );
    default:
      return finding satisfies never;
  }
}

function refused({ failures }: Messages, { status, message, system, retryAfter = 0 }: Failure): Explained {
  if (status === 401) return failures.authoringRefused[401];
  if (status === 403) return failures.authoringRefused[403];
  if (system === 'authoring') {
    if (status === 409 || status === 422) return failures.authoringRefused.unexplained;
    if (status === 300) return fill(failures.authoringTooMany, { status });
    if (status === 429) return fill(failures.authoringLimits, { status, seconds: retryAfter });
    if (status !== undefined && UNAVAILABLE.has(status)) return fill(failures.authoringUnavailable, { status });
    return fill(failures.authoringAnswered, { status: status ?? 0, said: message });
  }
  const general = fill(failures.refused, { status });
  return message === undefined ? general : { ...general, sentence: message };
}

const UNAVAILABLE: ReadonlySet<number> = new Set([502, 503, 504]);
