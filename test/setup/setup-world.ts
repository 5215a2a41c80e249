import { createAuthoringProxy } from '@repoless/core/api/authoring-proxy.ts';
import { createBuildManagementPort } from '@repoless/core/api/sync-port.ts';
import { createClient, createTrace } from '@repoless/core/api/client.ts';
import { createHostsPort } from '@repoless/core/api/hosts-port.ts';
import { createServicePort } from '@repoless/core/api/service-port.ts';
import { createSession } from '@repoless/core/api/session.ts';
import { createAuthoringPort } from '@repoless/core/authoring/create-authoring-port.ts';
import type { SetupPorts } from '@repoless/core/situation/ports.ts';
import type { PlantedResource } from '@repoless/sandbox/authoring-system/content-store.ts';
import { seededOrganization, seedSites } from '@repoless/sandbox/seed/seed-sites.ts';
import { type AnyAuthor, startAuthor } from '../sandbox/author.ts';
import { OPERATOR, startTestBackend, type TestBackend } from '../support/backend.ts';
import { startHostedBackend } from '../support/hosted-backend.ts';
import { IS_HOSTED } from '../support/on-both.ts';
import { onThisMachine } from '../support/this-machine.ts';
import { startRepositories } from './repositories.ts';

export const ADA = 'ada.admin@example.com';
export const CARL = 'carl.config@example.com';
export const OTTO = 'otto.org@example.com';
export const SAM = 'sam.stranger@example.com';

/** A request that the extension sent. */
export interface Sent {
  readonly method: string;
  readonly address: string;
  readonly traceparent?: string | undefined;
}

export function isWrite({ method, address }: Sent): boolean {
  return method !== 'GET' && method !== 'HEAD' && !address.includes('dryRun=true') && !address.includes('/auth/');
}

export interface Person {
  readonly ports: SetupPorts;
  /** Requests sent so far, in order. */
  readonly sent: readonly Sent[];
}

export interface PersonOptions {
  readonly environment?: string;
  /** The token that the host passes to the extension, instead of a sign-in to the authoring system. */
  readonly hostToken?: string;
  /** Another address of the service, such as a proxy. */
  readonly service?: string;
  /** The service's token ends right before the nth write. */
  readonly revokeBeforeWrite?: number;
  /** Called before each request; throws to make the network fail. */
  readonly before?: (sent: Sent) => void | Promise<void>;
  /** Called after each answer; throws to lose it. */
  readonly after?: (sent: Sent) => void | Promise<void>;
}

interface WorldOptions {
  readonly sites?: boolean;
  readonly claim?: boolean;
  readonly settings?: Readonly<Record<string, string>>;
  readonly content?: Iterable<PlantedResource>;
}

/** The backend, an authoring system with the seeded content and an issuer of sign-ins, each on its own port. */
export async function startSetupWorld(options: WorldOptions = {}) {
  return worldWith(await startAuthor(options.content), options);
}

/** The same around a running authoring system, which stops with the world. */
export async function worldWith<A extends AnyAuthor>(author: A, options: Omit<WorldOptions, 'content'> = {}) {
  const codeHost = await startRepositories();
  const address = (environment = 'p100-e200') => `http://author-${environment}.authoring.localhost:${author.port}`;
  const hosted = IS_HOSTED ? await startHostedBackend(codeHost.address) : undefined;
  const backend: TestBackend =
    hosted ??
    (await startTestBackend({
      claim: false,
      orgs: ['wknd', 'acme'],
      settings: {
        AUTHOR_HOSTS: `*.authoring.localhost:${author.port}`,
        CODE_HOST: codeHost.address,
        CODE_HOST_API: `${codeHost.address}/api`,
        CODE_HOST_RAW: `${codeHost.address}/raw`,
        CODE_RETRY_DELAY: '5',
        TRUSTED_ISSUERS: JSON.stringify([{ issuer: author.issuer.address, audience: 'authoring' }]),
        ...options.settings,
      },
    }));
  const fetchHere = hosted?.fetch(fetchOnThisMachine()) ?? fetchOnThisMachine();
  const person = async (
    email: string,
    { environment, hostToken: given, service = backend.address, before, after, revokeBeforeWrite }: PersonOptions = {},
  ): Promise<Person> => {
    const authoringToken = await author.issuer.token(email, { expires: '1h' });
    const hostToken = given ?? authoringToken;
    const sent: Sent[] = [];
    let writesSoFar = 0;
    const fetching: typeof fetch = async (input, init) => {
      const traceparent = new Headers(init?.headers).get('traceparent') ?? undefined;
      const request = { method: init?.method ?? 'GET', address: input instanceof Request ? input.url : input.toString(), traceparent };
      sent.push(request);
      if (isWrite(request) && ++writesSoFar === revokeBeforeWrite) {
        const token = new Headers(init?.headers).get('x-auth-token') ?? '';
        await fetchHere(`${backend.address}/logout`, { headers: { 'x-auth-token': token }, redirect: 'manual' });
      }
      await before?.(request);
      const answer = await fetchHere(input, init);
      await after?.(request);
      return answer;
    };
    const session = createSession({ service, hostToken: () => hostToken, fetch: fetching });
    const trace = createTrace();
    const client = createClient({
      service,
      token: () => session.token(),
      renew: (refused) => session.renew(refused),
      fetch: fetching,
      trace,
    });
    const proxy = createAuthoringProxy({ client, author: address(environment), authoringToken: async () => authoringToken });
    return {
      sent,
      ports: {
        service: createServicePort(client),
        authoring: createAuthoringPort(proxy),
        hosts: createHostsPort({ proxy, token: () => session.token(), fetch: fetching }),
        buildsAt: async (at) => createBuildManagementPort(createClient({ service: at, token: () => session.token(), fetch: fetching })),
        wait: (_milliseconds, signal) => (signal.aborted ? Promise.resolve() : new Promise((resolve) => setImmediate(resolve))),
        now: () => new Date(),
        inOneTrace: trace.inOneTrace,
      },
    };
  };
  if (options.claim !== false && !IS_HOSTED) {
    await expectOk(backend.call('PUT', `/config/${seededOrganization.org}.json`, { as: OPERATOR, body: seededOrganization.body }));
  }
  if (options.sites === true) {
    for (const seeded of seedSites({ author: address(), secondAuthor: address('p100-e300'), codeHost: codeHost.address })) {
      const path = `/config/${seeded.org}/sites/${seeded.site}.json`;
      await expectOk(backend.call('PUT', path, { as: OPERATOR, body: seeded.body }));
    }
  }
  return {
    author,
    codeHost,
    backend,
    /** The command line's variables about the service. */
    settings: hosted === undefined ? {} : { ...hosted.settings, REPOLESS_AUTHOR_HOSTS: `*.authoring.localhost:${author.port}` },
    person,
    authorAddress: address,
    /** The properties of the Edge Delivery configuration below a `/conf` path. */
    edgeConfiguration: (conf: string) => author.json(`${conf}/settings/cloudconfigs/edge-delivery-service-configuration/jcr:content.json`),
    /** Posts a form to the authoring system, as its own dialogs do. */
    async edit(path: string, fields: Readonly<Record<string, string>>, as = ADA): Promise<void> {
      await expectOk(author.post(path, Object.entries(fields), { as, csrf: await author.csrf(as) }));
    },
    /** Removes nodes of the authoring system. */
    async remove(...paths: readonly string[]): Promise<void> {
      for (const path of paths) await expectOk(author.post(path, [[':operation', 'delete']], { as: ADA, csrf: await author.csrf(ADA) }));
    },
    versions: async (site: string): Promise<number> => {
      const answer = await backend.call('GET', `/config/wknd/sites/${site}/versions.json`, { as: OPERATOR });
      const list = answer.json() as { versions?: unknown[] };
      return list.versions?.length ?? 0;
    },
    stop: async () => {
      await backend.stop();
      await author.stop();
      await codeHost.stop();
    },
  };
}

export type SetupWorld = Awaited<ReturnType<typeof startSetupWorld>>;

/** Stores a node of the authoring system past its rules. */
export function plant({ author }: SetupWorld, path: string, properties: PlantedResource['properties']): void {
  author.plant([{ environment: 'p100-e200', path, properties }]);
}

async function expectOk(answer: Promise<{ status: number; text: string }>): Promise<void> {
  const { status, text } = await answer;
  if (status >= 300) throw new Error(`${status} ${text}`);
}

function fetchOnThisMachine(): typeof fetch {
  const dispatcher = onThisMachine();
  return (input, init) => fetch(input, { ...init, dispatcher } as RequestInit);
}
