import { createAuthoringProxy, readThroughService } from '@repoless/core/api/authoring-proxy.ts';
import { type Client, createClient, createTrace } from '@repoless/core/api/client.ts';
import { createHostsPort } from '@repoless/core/api/hosts-port.ts';
import { createServicePort } from '@repoless/core/api/service-port.ts';
import { createSession, type Session } from '@repoless/core/api/session.ts';
import {
  createAuthoringSignIn,
  createSignInRequests,
  type SignInRequests,
  type SignInStorage,
} from '@repoless/core/api/sign-in-requests.ts';
import { wait } from '@repoless/core/api/exchange.ts';
import { createAuthoringPort } from '@repoless/core/authoring/create-authoring-port.ts';
import type { SetupPorts } from '@repoless/core/situation/ports.ts';
import { z } from 'zod';
import { tabStorage } from './storage.ts';

interface ConnectionOptions {
  readonly service: string;
  readonly author: string;
  readonly mode: 'framed' | 'stand-alone';
  /** The host's current sign-in, if there is a host. */
  readonly hostToken: () => string | undefined;
}

/** Every system that the panel calls: the service, the authoring system behind it, and the site's hosts. */
export interface Connection {
  readonly client: Client;
  /** The client for signing in itself: without a token, and without ever requesting one. */
  readonly anonymous: Client;
  readonly session: Session;
  /** Calls that wait until the person has signed in again. */
  readonly requests: SignInRequests;
  readonly ports: SetupPorts;
  /** A client for another address that the service names, such as build management's, with the service's own sign-in. */
  readonly clientAt: (address: string) => Client;
  /** Accepts the authoring system's token from a sign-in in a separate window. */
  acceptAuthoringToken(token: string): void;
  /** The ports for pages of another author, with the same sign-in: one object per author, so that views can depend on it. */
  portsOf(author: string): SetupPorts;
  /** The address of the hosted service behind this service, if it has reported one. */
  hosted(): string | undefined;
  /** Whether there is a sign-in with which to read the authoring system. */
  hasAuthoringToken(): boolean;
  /** The host has sent an update, maybe its renewed sign-in: waiting calls try to continue with it. */
  hostChanged(): void;
  /** Signs in again at the person's request. Returns whether that succeeded. */
  signInAgain(): Promise<boolean>;
}

/** Far more than the number of authors in one view. */
const MAX_AUTHORS = 100;

export function connect({ service, author, mode, hostToken }: ConnectionOptions): Connection {
  const isAlone = mode === 'stand-alone';
  const storage = isAlone ? storageOf(service) : personalStorage(hostToken());
  const requests = createSignInRequests();
  const session = createSession({ service, hostToken, requests, ...(storage === undefined ? {} : { storage }) });
  const authoring = createAuthoringSignIn({ hostToken, requests, storage: isAlone ? storageOf(`${service} ${author}`) : undefined });
  const trace = createTrace();
  const clientAt = (address: string): Client =>
    createClient({ service: address, token: () => session.token(), renew: (refused) => session.renew(refused), trace });
  const client = clientAt(service);
  let hosted: string | undefined;
  const makePorts = (other: string): SetupPorts => {
    const proxy = createAuthoringProxy({
      client,
      author: other,
      authoringToken: async () => authoring.token(),
      renewAuthoringToken: (refused) => authoring.renew(refused),
    });
    return {
      service: createServicePort(client, (info) => (hosted = info.hosted)),
      authoring: createAuthoringPort(proxy),
      hosts: createHostsPort({
        proxy,
        // The hosted service's hosts accept only tokens of a site, so they get no other.
        token: async () => (hosted ? undefined : session.token()),
        relayed: (address) => (hosted ? readThroughService(client, address) : undefined),
      }),
      buildsAt: async (address) => (await import('@repoless/core/api/sync-port.ts')).createBuildManagementPort(clientAt(address)),
      wait,
      now: () => new Date(),
      inOneTrace: trace.inOneTrace,
    };
  };
  const created = new Map<string, SetupPorts>();
  const portsOf = (other: string): SetupPorts => {
    const ports = created.get(other) ?? makePorts(other);
    // Reinserted, so that the least recently used one is evicted first.
    created.delete(other);
    created.set(other, ports);
    for (const oldest of created.keys()) if (created.size > MAX_AUTHORS && oldest !== author) created.delete(oldest);
    return ports;
  };
  return {
    client,
    anonymous: createClient({ service, token: async () => undefined }),
    session,
    requests,
    ports: portsOf(author),
    portsOf,
    clientAt,
    acceptAuthoringToken: (token) => authoring.accept(token),
    hosted: () => hosted,
    hasAuthoringToken: () => authoring.token() !== undefined,
    hostChanged: () => void continueCalls(session, requests),
    signInAgain: async () => {
      requests.resume();
      return typeof (await session.renew(undefined)) === 'string';
    },
  };
}

async function continueCalls(session: Session, requests: SignInRequests): Promise<void> {
  if (requests.get() === 'service') await session.renewSilently(undefined);
  requests.recheck();
}

const Claims = z.looseObject({ sub: z.string().optional(), user_id: z.string().optional() });

/**
 * Storage for the service's token that outlives the frame (rails are recreated at each click) but not a change of user: keys contain the
 * user of the host's token. Returns undefined if that token names no one or the browser allows no storage.
 */
function personalStorage(hostToken: string | undefined): SignInStorage | undefined {
  const user = userOf(hostToken);
  return user === undefined ? undefined : storageOf(user);
}

/**
 * The tab's storage for one user, one service, or one author of a service: navigating the tab to another author must not carry the
 * sign-in over.
 */
function storageOf(owner: string): SignInStorage | undefined {
  const storage = tabStorage();
  if (storage === undefined) return undefined;
  const keyed = (key: string): string => `${key}:${owner}`;
  return {
    getItem: (key) => storage.getItem(keyed(key)),
    setItem: (key, value) => storage.setItem(keyed(key), value),
    removeItem: (key) => storage.removeItem(keyed(key)),
  };
}

/** Read without verification: it only separates the tokens of two users, and grants nothing. */
function userOf(token: string | undefined): string | undefined {
  const payload = token?.split('.')[1];
  if (payload === undefined) return undefined;
  try {
    const claims = Claims.safeParse(JSON.parse(atob(payload.replaceAll('-', '+').replaceAll('_', '/'))));
    return claims.success ? (claims.data.sub ?? claims.data.user_id) : undefined;
  } catch {
    return undefined;
  }
}
