import { StatusLight } from '@adobe/react-spectrum/StatusLight';
import type { Rollout } from '@repoless/contract/rollout.ts';
import { useMessages } from '../../ui/use-messages.ts';

const TONES = { running: 'info', stopped: 'notice', done: 'positive', undoing: 'info', undone: 'neutral' } as const;

/** The state of a rollout in words beside its colour. */
export function RolloutState({ rollout: { state, sites } }: { readonly rollout: Rollout }) {
  const { rollouts: messages } = useMessages('rollouts');
  const refused = state === 'done' ? (sites.refused ?? 0) : 0;
  return (
    <StatusLight variant={refused > 0 ? 'notice' : TONES[state]} UNSAFE_className="rp-rollout-state">
      {refused > 0 ? messages.doneWithRefused({ count: refused }) : messages.states[state]}
    </StatusLight>
  );
}
