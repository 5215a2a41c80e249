import type { LinkOutcome } from '@repoless/contract/build-management.ts';
import type { SetupPorts } from '../plan/ports.ts';
import { failureOf } from '../run/failure-of.ts';
import type { Failure } from '../situation/situation.ts';
import type { SyncPort } from './ports.ts';

interface Ports {
  readonly sync: Pick<SyncPort, 'setSecret'>;
  readonly service: Pick<SetupPorts['service'], 'send'>;
}

/**
 * Stores the secret of a new link where it belongs: with the site that holds the repository's secret; where no site uses the
 * repository yet, the linked site becomes its first one (call 5), and holds the secret (call 6). In: when the secret ends, where that is known. Out: why it was refused.
 */
export async function storeLink(
  { sync, service }: Ports,
  org: string,
  { code, secret, repository }: LinkOutcome,
  { holder, expires }: { readonly holder: string | undefined; readonly expires: string | undefined },
): Promise<Failure | undefined> {
  const site = holder ?? repository.link?.site ?? '';
  if (holder === undefined) {
    const body = { type: 'json', value: { source: code.source } } as const;
    const set = await service.send({ target: 'service', method: 'POST', address: `/config/${org}/sites/${site}/code.json`, body });
    if (set.state !== 'known') return failureOf(set);
  }
  const stored = await sync.setSecret(org, site, { value: secret, expires });
  return stored.state === 'known' ? undefined : failureOf(stored);
}
