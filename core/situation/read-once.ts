import type { SetupPorts } from './ports.ts';

/**
 * Ports for one plan or one run that read nothing twice: an answer is cached until something is written to its system, or until a wait.
 * Intentional rereads are not cached: a code sync, files of a host, and what a write is compared with.
 */
export function readOnce(ports: SetupPorts): SetupPorts {
  const { service, authoring, hosts } = ports;
  const [ofService, ofAuthoring, ofHosts] = [createAnswers(), createAnswers(), createAnswers()];
  return {
    ...ports,
    service: {
      ...service,
      organization: ofService.once(service.organization),
      site: ofService.once(service.site),
      effective: ofService.once(service.effective),
      sites: ofService.once(service.sites),
      version: ofService.once(service.version),
      codeCheck: ofService.once(service.codeCheck),
      send: (call) => {
        forget(ofService, ofHosts);
        return service.send(call);
      },
    },
    authoring: {
      ...authoring,
      page: ofAuthoring.once(authoring.page),
      content: ofAuthoring.once(authoring.content),
      edgeConfiguration: ofAuthoring.once(authoring.edgeConfiguration),
      send: (call) => {
        forget(ofAuthoring, ofHosts);
        return authoring.send(call);
      },
    },
    hosts: { ...hosts, page: ofHosts.once(hosts.page), delivery: ofHosts.once(hosts.delivery) },
    wait: (milliseconds, signal) => {
      forget(ofService, ofAuthoring, ofHosts);
      return ports.wait(milliseconds, signal);
    },
  };
}

interface Answers {
  once<A extends readonly unknown[], R>(read: (...asked: A) => Promise<R>): (...asked: A) => Promise<R>;
  clear(): void;
}

function createAnswers(): Answers {
  const clears: (() => void)[] = [];
  return {
    once: <A extends readonly unknown[], R>(read: (...asked: A) => Promise<R>) => {
      const known = new Map<string, Promise<R>>();
      clears.push(() => known.clear());
      return (...asked: A) => {
        const key = JSON.stringify(asked);
        const answer = known.get(key) ?? read(...asked);
        known.set(key, answer);
        return answer;
      };
    },
    clear: () => {
      for (const clear of clears) clear();
    },
  };
}

function forget(...all: readonly Answers[]): void {
  for (const answers of all) answers.clear();
}
