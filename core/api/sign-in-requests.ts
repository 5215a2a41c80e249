/** Whose sign-in work waits for: the configuration service's, or the authoring system's. */
export type LackingSignIn = 'service' | 'authoring';

/** Calls that can continue only after a person has signed in again, and the view that offers it. */
export interface SignInRequests {
  /** What is waited for now; undefined while nothing is. */
  get(): LackingSignIn | undefined;
  /** The subscriber offers the sign-in; without one, nobody is asked. */
  subscribe(listener: () => void): () => void;
  /** Waits until `isMet`, however long that takes. Returns false if the person declined, or nobody can be asked. */
  ask(lacking: LackingSignIn, isMet: () => boolean): Promise<boolean>;
  /** Something changed: waiting calls check whether they can continue. */
  look(): void;
  /** All waiting calls continue (true) or give up (false); after that nobody is asked until the person acts again. */
  settle(signedIn: boolean): void;
  /** The person does something: they may be asked again. */
  act(): void;
}

/** One question at a time, whatever number of calls wait for its answer. */
export function createSignInRequests(): SignInRequests {
  const listeners = new Set<() => void>();
  let open: Question | undefined;
  let declined = false;
  const tell = (): void => {
    for (const listener of listeners) listener();
  };
  const begin = (lacking: LackingSignIn, isMet: () => boolean): Promise<boolean> => {
    let settle: (signedIn: boolean) => void = () => undefined;
    const answer = new Promise<boolean>((resolve) => (settle = resolve));
    open = { lacking, isMet, answer, settle };
    tell();
    return answer;
  };
  const settleAll = (signedIn: boolean): void => {
    const settled = open;
    open = undefined;
    declined = !signedIn;
    settled?.settle(signedIn);
    if (settled !== undefined) tell();
  };
  return {
    get: () => open?.lacking,
    subscribe: (listener) => {
      listeners.add(listener);
      return () => void listeners.delete(listener);
    },
    ask: async (lacking, isMet) => {
      while (!isMet()) {
        if (listeners.size === 0 || declined) return false;
        if (!(await (open?.answer ?? begin(lacking, isMet)))) return false;
      }
      return true;
    },
    look: () => {
      if (open?.isMet() === true) settleAll(true);
    },
    settle: settleAll,
    act: () => {
      declined = false;
    },
  };
}

interface Question {
  readonly lacking: LackingSignIn;
  readonly isMet: () => boolean;
  readonly answer: Promise<boolean>;
  settle(signedIn: boolean): void;
}
