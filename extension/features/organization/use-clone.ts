import { useState } from 'react';
import { createClone } from '@repoless/core/clone/create-clone.ts';
import { tryClone } from '@repoless/core/clone/try-clone.ts';
import type { CloneProblem, TriedClone } from '@repoless/core/clone/try-clone.ts';
import type { AuthoringPort, ServicePort } from '@repoless/core/plan/ports.ts';
import type { CloneTarget } from '@repoless/core/clone/clone-site.ts';

/** What was refused. `lost`: it may be created. */
export type CloneBlock = 'try' | 'create' | 'lost';

export type CloneState =
  | { readonly state: 'asking' | 'trying' }
  | { readonly state: 'blocked'; readonly problems: readonly CloneProblem[]; readonly after: CloneBlock }
  | { readonly state: 'ready' | 'creating'; readonly clone: TriedClone };

export interface Cloning {
  readonly cloning: CloneState;
  attempt(target: CloneTarget): Promise<void>;
  /** Out: whether the site was created. */
  create(clone: TriedClone, target: CloneTarget): Promise<boolean>;
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
      setCloning(tried.state === 'ready' ? tried : { ...tried, after: 'try' });
    },
    create: async (clone, target) => {
      setCloning({ state: 'creating', clone });
      const end = await createClone(service, clone, target);
      if (end.state === 'created') return true;
      setCloning({ state: 'blocked', problems: end.problems, after: end.state === 'lost' ? 'lost' : 'create' });
      return false;
    },
  };
}
