import { useRef, useState } from 'react';
import type { RolloutInput, RolloutPreview } from '@repoless/contract/rollout.ts';
import type { RolloutsPort } from '@repoless/core/rollouts/rollouts-port.ts';
import { startRollout } from '@repoless/core/rollouts/start-rollout.ts';
import { failureOf } from '@repoless/core/run/failure-of.ts';
import type { Failure } from '@repoless/core/situation/situation.ts';
import { useIsHere } from '../../ui/use-is-here.ts';

/** `of`: the input that was tried. Another one has no preview yet. */
export type Previewing =
  | { readonly state: 'none' }
  | { readonly state: 'running' | 'starting'; readonly of: string }
  | { readonly state: 'failed'; readonly of: string; readonly failure: Failure; readonly during: 'preview' | 'start' }
  /** It may have been started: no answer came. */
  | { readonly state: 'unknown'; readonly of: string; readonly failure: Failure }
  | { readonly state: 'ready'; readonly of: string; readonly preview: RolloutPreview };

export interface Previewer {
  readonly previewing: Previewing;
  /** Tries it on every site, without changing one. */
  look(input: RolloutInput): Promise<void>;
  /** Starts what was tried. */
  start(input: RolloutInput): Promise<void>;
}

/** The preview of a rollout, and its start. `etag`: of the profile that was read. */
export function usePreview(port: RolloutsPort, org: string, etag: string | undefined, onStarted: (id: string) => void): Previewer {
  const [previewing, setPreviewing] = useState<Previewing>({ state: 'none' });
  const latest = useRef(0);
  const isHere = useIsHere();
  return {
    previewing,
    async look(input) {
      const of = inputKey(input);
      const mine = ++latest.current;
      setPreviewing({ state: 'running', of });
      const answer = await port.preview(org, input);
      if (mine !== latest.current) return;
      if (answer.state === 'known') setPreviewing({ state: 'ready', of, preview: answer.value });
      else setPreviewing({ state: 'failed', of, failure: failureOf(answer), during: 'preview' });
    },
    async start(input) {
      const of = inputKey(input);
      latest.current++;
      setPreviewing({ state: 'starting', of });
      const start = await startRollout(port, org, input, etag);
      if (!isHere()) return;
      if (start.state === 'started') onStarted(start.id);
      else if (start.state === 'unknown') setPreviewing({ state: 'unknown', of, failure: start.failure });
      else setPreviewing({ state: 'failed', of, failure: start.failure, during: 'start' });
    },
  };
}

/** Inputs with the same key do the same. */
export function inputKey(input: RolloutInput): string {
  return JSON.stringify(input);
}
