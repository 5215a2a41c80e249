import type { Call } from '../plan/plan.ts';
import type { SetupPorts } from '../plan/ports.ts';
import { isTransient } from './retry.ts';
import type { Known } from '../situation/situation.ts';

/** Milliseconds between looks: what one node of the authoring system stored, another may have a moment later. */
const WAITS: readonly number[] = [200, 400, 800, 1500, 3000];

interface Sending {
  readonly ports: { readonly authoring: Pick<SetupPorts['authoring'], 'send' | 'holds'>; readonly wait: SetupPorts['wait'] };
  readonly signal: AbortSignal;
}

/**
 * Sends a write to the authoring system and looks whether it has it: something in between may answer as if it were stored, and what
 * comes after a step builds upon it. Out: as `send`; failed with `not-written` where it is not there after some looks.
 */
export async function sendConfirmed({ ports, signal }: Sending, call: Call): Promise<Known<unknown>> {
  const answer = await ports.authoring.send(call);
  if (answer.state !== 'known') return answer;
  for (const wait of [...WAITS, undefined]) {
    const held = await ports.authoring.holds(call);
    if (held.state === 'known' && held.value) return answer;
    if (held.state === 'failed' && !isTransient(held.failure)) return held;
    if (wait === undefined || signal.aborted) break;
    await ports.wait(wait, signal);
  }
  return { state: 'failed', failure: { kind: 'unexpected', system: 'authoring', finding: { kind: 'not-written', address: call.address } } };
}
