import type { Call } from '../plan/plan.ts';
import type { SetupPorts } from '../plan/ports.ts';
import { sameValue } from '@repoless/contract/same-value.ts';
import type { ConfigProbe, Failure, Known, Target } from '../situation/situation.ts';

/** The waits between looks at a host, in milliseconds: about a minute in all. */
export const VERIFY_WAITS: readonly number[] = [200, 400, 800, 1500, 3000, 5000, 5000, 10_000, 15_000, 20_000];

export interface Verifying {
  readonly ports: SetupPorts;
  readonly signal: AbortSignal;
  readonly onWaiting: (attempt: number, why?: Failure) => void;
}

/**
 * Looks at a host until its config.json equals the public part that holds for the site, over its profile (or answers 404 where
 * there is none), within a bound. Out: undefined when it does, else why not.
 */
export async function verifyHost({ ports, signal, onWaiting }: Verifying, call: Call, target: Target): Promise<Failure | undefined> {
  for (let attempt = 1; ; attempt++) {
    const [stored, probe] = await Promise.all([ports.service.site(target.organization, target.siteName), ports.hosts.config(call.address)]);
    const problem = stored.state === 'failed' ? stored.failure : compare(probe, publicPart(stored));
    const wait = VERIFY_WAITS[attempt - 1];
    if (problem === undefined || wait === undefined || signal.aborted) return problem;
    onWaiting(attempt + 1, problem);
    await ports.wait(wait, signal);
    if (signal.aborted) return problem;
  }
}

function publicPart(stored: Known<{ readonly config: { readonly public?: unknown } }>): unknown {
  return stored.state === 'known' ? stored.value.config.public : undefined;
}

function compare(probe: ConfigProbe, stored: unknown): Failure | undefined {
  const status = probe.status === undefined ? {} : { status: probe.status };
  const { address } = probe;
  if (probe.answer.state === 'failed') return probe.answer.failure;
  if (probe.answer.state === 'missing')
    return stored === undefined
      ? undefined
      : { kind: 'unexpected', ...status, finding: { kind: 'not-served', serves: 'nothing', address } };
  if (sameValue(probe.answer.value, stored)) return undefined;
  return { kind: 'unexpected', ...status, finding: { kind: 'not-served', serves: 'other', address } };
}
