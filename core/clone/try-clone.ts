import type { Site } from '@repoless/contract/site.ts';
import { cloneSite } from './clone-site.ts';
import type { CloneTarget, NotCopied } from './clone-site.ts';
import { describeChange } from '../history/describe-change.ts';
import type { Change } from '../history/change.ts';
import type { Call } from '../plan/plan.ts';
import type { AuthoringPort, ServicePort } from '../plan/ports.ts';
import { isUntried } from '../plan/service-steps.ts';
import type { Failure, Known } from '../situation/situation.ts';
import { problemsOfFailure } from '../sites/cell-problems.ts';
import { failureOf } from '../run/failure-of.ts';

/** A clone that the service would take, and how it differs from its source. */
export interface TriedClone {
  /** Creates the site, and replaces none. */
  readonly call: Call;
  readonly differences: readonly Change[];
  readonly leftOut: readonly NotCopied[];
  /** The service cannot try writes. */
  readonly untried?: Failure;
}

/** What stands in the way, at a field or as a whole. */
export interface CloneProblem {
  readonly field: 'siteName' | 'contentRoot' | 'whole';
  readonly says:
    | { readonly kind: 'sentence'; readonly sentence: string }
    | { readonly kind: 'failure'; readonly failure: Failure }
    | { readonly kind: 'name-taken' | 'page-missing' | 'source-missing' | 'no-content-root' };
}

export type CloneTry =
  { readonly state: 'ready'; readonly clone: TriedClone } | { readonly state: 'blocked'; readonly problems: readonly CloneProblem[] };

interface ClonePorts {
  readonly service: Pick<ServicePort, 'configuration' | 'dryRun'>;
  /** Absent where the authoring system cannot be read: whether the content is there is not known then. */
  readonly authoring?: Pick<AuthoringPort, 'content'>;
}

/** Reads the source afresh, makes a clone of it, and asks the service whether it would take it. Writes nothing. */
export async function tryClone({ service, authoring }: ClonePorts, source: string, target: CloneTarget): Promise<CloneTry> {
  const { organization, siteName, contentRoot } = target;
  const [held, page] = await Promise.all([service.configuration(organization, source), authoring?.content(contentRoot)]);
  if (held.state === 'failed') return blocked('whole', { kind: 'failure', failure: held.failure });
  if (held.state === 'missing') return blocked('whole', { kind: 'source-missing' });
  if (page?.state === 'missing') return blocked('contentRoot', { kind: 'page-missing' });
  const clone = cloneSite(held.value.config, target);
  if (clone === undefined) return blocked('whole', { kind: 'no-content-root' });
  const versionName = encodeURIComponent(`clone of ${source}`.slice(0, MOST_NAMED));
  const address = `/config/${organization}/sites/${siteName}.json?versionName=${versionName}`;
  const call: Call = { target: 'service', method: 'PUT', address, body: { type: 'json', value: clone.input }, ifNoneMatch: '*' };
  const tried = await service.dryRun(call);
  const ready = { call, leftOut: clone.leftOut, differences: differences(held.value.config, clone.input) };
  if (tried.state === 'known') return { state: 'ready', clone: ready };
  if (tried.state === 'failed' && isUntried(tried)) return { state: 'ready', clone: { ...ready, untried: tried.failure } };
  return { state: 'blocked', problems: problemsOfClone(tried) };
}

/** Characters of the name of a version. */
const MOST_NAMED = 100;

/** What a refusal of the clone, tried or not, means for its fields. */
export function problemsOfClone(answer: Exclude<Known<unknown>, { state: 'known' }>): CloneProblem[] {
  const failure: Failure = failureOf(answer);
  if (failure.status === 412) return [{ field: 'siteName', says: { kind: 'name-taken' } }];
  return problemsOfFailure(failure).map(({ cell, says }) => ({
    field:
      cell === 'siteName' ? 'siteName' : cell === 'contentRoot' || cell === 'mappings' || cell === 'includes' ? 'contentRoot' : 'whole',
    says: says.kind === 'sentence' ? { kind: 'sentence', sentence: says.sentence } : { kind: 'failure', failure },
  }));
}

function differences(source: Site, input: object): Change[] {
  return describeChange(source, { ...input });
}

function blocked(field: CloneProblem['field'], says: CloneProblem['says']): CloneTry {
  return { state: 'blocked', problems: [{ field, says }] };
}
