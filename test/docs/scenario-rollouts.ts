import { example } from './step.ts';
import type { Step } from './step.ts';

const rollout = { rollout: '$ROLLOUT' };

/** A change of two sites of which one is not there: it stops behind the first wave, goes on, and is undone. */
export const ROLLOUT_EXAMPLES: readonly Step[] = [
  example('startRollout', { title: 'Tried first: `preview` says what it would make of each site.', query: 'dryRun=true' }),
  example('startRollout', { keep: { ROLLOUT: 'id' } }),
  example('getRollout', { params: rollout, until: '"state": "stopped"' }),
  example('listRollouts', {}),
  example('listRolloutSites', { params: rollout }),
  example('resumeRollout', { params: rollout }),
  example('getRollout', { title: 'When it has ended.', params: rollout, until: '"state": "done"' }),
  example('undoRollout', { params: rollout }),
  example('stopRollout', { title: 'One that is not running.', params: rollout, status: 409 }),
];
