import type { SetupPorts } from '@repoless/core/plan/ports.ts';
import type { Pace } from '@repoless/core/sites/apply-rows.ts';
import type { Known } from '@repoless/core/situation/situation.ts';

/**
 * Ports whose reads wait while the other side says that it is busy, all together. In: the pace of the command. What is away is answered at
 * once: of many questions about a site some may be for a system that is down, and each of them would wait for it.
 */
export function patientPorts(ports: SetupPorts, pace: Pace): SetupPorts {
  const { service, authoring } = ports;
  const patient =
    <A extends readonly unknown[], T>(read: (...asked: A) => Promise<Known<T>>) =>
    (...asked: A): Promise<Known<T>> =>
      whileBusy(pace, () => read(...asked));
  return {
    ...ports,
    service: {
      ...service,
      info: patient(service.info),
      profile: patient(service.profile),
      organization: patient(service.organization),
      organizations: patient(service.organizations),
      site: patient(service.site),
      held: patient(service.held),
      stored: patient(service.stored),
      sites: patient(service.sites),
      allSites: patient(service.allSites),
      configuration: patient(service.configuration),
      versions: patient(service.versions),
      version: patient(service.version),
      codeSync: patient(service.codeSync),
      codeCheck: patient(service.codeCheck),
      secret: patient(service.secret),
      challenge: patient(service.challenge),
      dryRun: patient(service.dryRun),
    },
    authoring: {
      ...authoring,
      settings: patient(authoring.settings),
      page: patient(authoring.page),
      children: patient(authoring.children),
      content: patient(authoring.content),
      edgeConfiguration: patient(authoring.edgeConfiguration),
      lock: patient(authoring.lock),
      mayWrite: patient(authoring.mayWrite),
      readyToWrite: patient(authoring.readyToWrite),
    },
  };
}

const BUSY: readonly (number | undefined)[] = [429, 503];

async function whileBusy<T>(pace: Pace, read: () => Promise<Known<T>>): Promise<Known<T>> {
  const taken = async (): Promise<Known<Known<T>>> => {
    const answer = await read();
    return answer.state === 'failed' && BUSY.includes(answer.failure.status) ? answer : { state: 'known', value: answer };
  };
  const answer = await pace.call(taken, () => undefined);
  return answer.state === 'known' ? answer.value : answer;
}
