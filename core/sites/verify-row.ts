import { configAddress } from '@repoless/contract/addresses.ts';
import type { PublicConfig } from '@repoless/contract/site.ts';
import { VERIFY_WAITS } from '../run/verify-host.ts';
import type { SetupPorts } from '../plan/ports.ts';
import { sameValue } from '@repoless/contract/same-value.ts';
import type { ConfigProbe } from '../situation/situation.ts';
import { rowProblem } from './row-problem.ts';
import { rowDifference } from './row-site.ts';
import { hostDomains } from './rows.ts';
import type { Batch, RowProblem, SiteRow } from './rows.ts';

/**
 * Polls both hosts until each serves the stored public part, or the effective one if that matches the row, for about a minute. Returns undefined
 * when they do, else which one doesn't; `changed-meanwhile` if the effective value differs from the row, which must be planned again.
 */
export async function verifyRow(
  ports: SetupPorts,
  batch: Batch,
  row: SiteRow,
  wanted: PublicConfig,
  { signal, onWaiting }: { readonly signal: AbortSignal; readonly onWaiting: (attempt: number) => void },
): Promise<RowProblem | undefined> {
  const open = new Set(
    (['preview', 'live'] as const).map((tier) => configAddress(hostDomains(batch.info), tier, batch.organization, row.siteName)),
  );
  for (let attempt = 1; ; attempt++) {
    const probes = await Promise.all([...open].map((address) => ports.hosts.config(address)));
    for (const probe of probes) if (matches(probe, wanted)) open.delete(probe.address);
    const held = open.size === 0 ? undefined : await ports.service.held(batch.organization, row.siteName);
    if (held?.state === 'known') {
      const { config } = held.value;
      if (rowDifference(batch, row, config).length > 0) return rowProblem('verify', 'changed-meanwhile');
      for (const probe of probes) if (matches(probe, config.public ?? {})) open.delete(probe.address);
    }
    const [first] = open;
    if (first === undefined) return undefined;
    const wait = VERIFY_WAITS[attempt - 1];
    if (wait === undefined || signal.aborted) return notVerified(first, probes);
    onWaiting(attempt + 1);
    await ports.wait(wait, signal);
  }
}

function matches({ answer }: ConfigProbe, wanted: PublicConfig): boolean {
  return answer.state === 'known' && sameValue(answer.value, wanted);
}

function notVerified(address: string, probes: readonly ConfigProbe[]): RowProblem {
  const probe = probes.find((candidate) => candidate.address === address);
  const status = String(probe?.status ?? '');
  const problem = rowProblem('verify', 'not-verified', { address, status });
  return probe?.answer.state === 'failed' ? { ...problem, failure: probe.answer.failure } : problem;
}
