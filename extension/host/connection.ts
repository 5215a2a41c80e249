import { createBuildManagementPort } from '#extension/api/build-management-port.ts';
import { createClient } from '#extension/api/client.ts';
import type { Client } from '#extension/api/client.ts';
import { createHostsPort } from '#extension/api/hosts-port.ts';
import { createRelay } from '#extension/api/relay.ts';
import { createServicePort } from '#extension/api/service-port.ts';
import { createSession } from '#extension/api/session.ts';
import type { Session } from '#extension/api/session.ts';
import { wait } from '#extension/api/wait.ts';
import { createAuthoringPort } from '#extension/authoring/create-authoring-port.ts';
import type { SetupPorts } from '#extension/setup/ports.ts';
import type { BuildManagementPort } from '#extension/setup/sync/build-management-port.ts';
import { personalStorage } from './personal-storage.ts';

export interface ConnectionOptions {
  readonly service: string;
  readonly author: string;
  /** The host's present sign-in, where there is a host. */
  readonly hostToken: () => string | undefined;
}

/** Everything that the panel talks to: the service, the authoring system behind it, and the site's hosts. */
export interface Connection {
  readonly client: Client;
  readonly session: Session;
  readonly ports: SetupPorts;
  /** Build management at an address that the service names, with the service's own sign-in. */
  buildsAt(address: string): BuildManagementPort;
  /** Takes over the authoring system's token that came with signing in by window. */
  acceptAuthoringToken(token: string): void;
  /** The same for the pages of another author, with the same sign-in. */
  portsOf(author: string): SetupPorts;
  /** Whether there is any sign-in of the authoring system to read it with. */
  knowsAuthoringToken(): boolean;
}

export function connect({ service, author, hostToken }: ConnectionOptions): Connection {
  let handedOver: string | undefined;
  const storage = personalStorage(hostToken());
  const session = createSession({ service, hostToken, ...(storage === undefined ? {} : { storage }) });
  const client = createClient({ service, token: () => session.token(), renew: () => session.renew() });
  const portsOf = (other: string): SetupPorts => {
    const relay = createRelay({ client, author: other, authoringToken: async () => hostToken() ?? handedOver });
    return {
      service: createServicePort(client),
      authoring: createAuthoringPort(relay),
      hosts: createHostsPort({ relay }),
      wait,
      now: () => new Date(),
    };
  };
  return {
    client,
    session,
    ports: portsOf(author),
    portsOf,
    buildsAt: (address) =>
      createBuildManagementPort(createClient({ service: address, token: () => session.token(), renew: () => session.renew() })),
    acceptAuthoringToken: (token) => {
      handedOver = token;
    },
    knowsAuthoringToken: () => (hostToken() ?? handedOver) !== undefined,
  };
}
