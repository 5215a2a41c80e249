import { useState } from 'react';
import { problemsOfClone, tryClone } from '#extension/setup/try-clone.ts';
import type { CloneProblem, TriedClone } from '#extension/setup/try-clone.ts';
import type { AuthoringPort, ServicePort } from '#extension/setup/ports.ts';
import type { CloneTarget } from '#extension/setup/clone-site.ts';

export type CloneState =
  | { readonly state: 'asking' | 'trying' }
  | { readonly state: 'blocked'; readonly problems: readonly CloneProblem[]; readonly isWrite: boolean }
  | { readonly state: 'ready' | 'creating'; readonly clone: TriedClone };

export interface Cloning {
  readonly cloning: CloneState;
  attempt(target: CloneTarget): Promise<void>;
  /** Out: whether the site was created. */
  create(clone: TriedClone): Promise<boolean>;
  /** What was tried is not what is asked for any more. */
  ask(): void;
}

/** Tries a clone of a site at the service, then creates it. */
export function useClone(service: ServicePort, authoring: Pick<AuthoringPort, 'content'>, source: string): Cloning {
  const [cloning, setCloning] = useState<CloneState>({ state: 'asking' });
  return {
    cloning,
    ask: () => setCloning({ state: 'asking' }),
    attempt: async (target) => {
      setCloning({ state: 'trying' });
      const tried = await tryClone({ service, authoring }, source, target);
      setCloning(tried.state === 'ready' ? tried : { ...tried, isWrite: false });
    },
    create: async (clone) => {
      setCloning({ state: 'creating', clone });
      const answer = await service.send(clone.call);
      if (answer.state === 'known') return true;
      setCloning({ state: 'blocked', problems: problemsOfClone(answer), isWrite: true });
      return false;
    },
  };
}
