import { describeChange } from '../history/describe-change.ts';
import { isObject } from '../history/json-place.ts';
import { problemsOfClone } from './try-clone.ts';
import type { CloneProblem, TriedClone } from './try-clone.ts';
import type { CloneTarget } from './clone-site.ts';
import { failureOf } from '../run/failure-of.ts';
import type { ServicePort } from '../plan/ports.ts';
import type { Failure } from '../situation/situation.ts';
import { isUncertain } from '../run/uncertain-failure.ts';

/** `lost`: it may be created, and what is stored cannot be read now. */
export type CloneEnd = { readonly state: 'created' } | { readonly state: 'refused' | 'lost'; readonly problems: readonly CloneProblem[] };

type Service = Pick<ServicePort, 'send' | 'configuration' | 'dryRun'>;

/** Creates a clone that was tried. Where the answer is lost, what is stored at its name says whether it was created. */
export async function createClone(service: Service, clone: TriedClone, target: CloneTarget): Promise<CloneEnd> {
  const failure = failureOf(await service.send(clone.call));
  if (failure === undefined) return { state: 'created' };
  if (!isUncertain(failure)) return refused(failure);
  const stored = await service.configuration(target.organization, target.siteName);
  if (stored.state === 'missing') return refused(failure);
  const lost = { state: 'lost', problems: problemsOfClone({ state: 'failed', failure }) } as const;
  if (stored.state === 'failed') return lost;
  const { ifNoneMatch: _none, ...call } = clone.call;
  const again = await service.dryRun({ ...call, ifMatch: stored.value.etag });
  if (again.state !== 'known' || !isObject(again.value.result)) return lost;
  const isSame = describeChange({ ...stored.value.config }, again.value.result).every(({ kind }) => kind === 'same');
  return isSame ? { state: 'created' } : refused(TAKEN);
}

/** Somebody else created a site of that name. */
const TAKEN: Failure = { kind: 'refused', status: 412 };

function refused(failure: Failure): CloneEnd {
  return { state: 'refused', problems: problemsOfClone({ state: 'failed', failure }) };
}
