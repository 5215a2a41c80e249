import type { HostDomains } from '@repoless/contract/addresses.ts';
import { checkRounds, type CheckRounds } from '../checks/check-rounds.ts';
import type { CertificateReader } from '../checks/rules/ports.ts';
import type { BranchProbe, CodeFiles, CodeSources } from '../code/rules/ports.ts';
import type { Settings } from '../config.ts';
import type { Store } from '../domain/ports.ts';
import type { Log } from '../log.ts';
import { serviceInfo } from './service-info.ts';

interface Services {
  readonly hosts: HostDomains;
  readonly store: Store;
  readonly files: CodeFiles;
  readonly head: CodeSources['head'];
  readonly branchProbe: BranchProbe;
  readonly publicAddress: string;
  readonly certificateLook: CertificateReader;
  readonly log: Pick<Log, 'failure'>;
  now(): Date;
}

/** The service's own checks of sites, as often as the settings say. */
export function composeChecks(settings: Settings, { log, ...services }: Services): CheckRounds {
  const interval = settings.SITE_CHECK_INTERVAL * 1000;
  return checkRounds({
    ...services,
    info: serviceInfo(settings, services.hosts),
    interval,
    ...(interval > 0 && { every: LOOK_EVERY }),
    failed: log.failure,
  });
}

/** Milliseconds. */
const LOOK_EVERY = 30_000;
