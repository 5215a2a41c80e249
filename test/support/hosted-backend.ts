import { createFetchHosted } from '@repoless/upstream/fetch-hosted.ts';
import { createBridge } from '@repoless/upstream/bridge.ts';
import { bridgedFetch, hostedServiceAt, infoOf } from '@repoless/upstream/hosted.ts';
import type { HostedSeed } from '@repoless/sandbox/hosted/example.ts';
import { type Hosted, startHosted } from '@repoless/sandbox/hosted/start-hosted.ts';
import { memoryStore, settingsOf } from '../upstream/hosted-world.ts';
import { answerOf, ask } from './ask.ts';
import { OPERATOR, type TestBackend } from './backend.ts';
import { onThisMachine } from './this-machine.ts';

export interface HostedBackend extends TestBackend {
  readonly hosted: Hosted;
  /** The settings with which the command line reaches it. */
  readonly settings: Readonly<Record<string, string>>;
  /** A `fetch` that sends requests for the hosted service through the bridge, and others to `otherwise`. */
  fetch(otherwise: typeof fetch): typeof fetch;
}

const EDITOR_FILES = ['component-definition.json', 'component-models.json', 'component-filters.json', 'head.html'];
const USERS = [OPERATOR, 'ada.admin@example.com', 'otto.org@example.com'];

/** Starts the stand-in of the hosted service behind the bridge, with the interface of `startTestBackend`. */
export async function startHostedBackend(codeHost: string): Promise<HostedBackend> {
  const files = Object.fromEntries(EDITOR_FILES.map((name) => [`/${name}`, '{}']));
  const hosted = await startHosted({
    seed: seedOf('wknd', 'acme'),
    switches: { requestsPerSecond: 0, codeFiles: Object.fromEntries(['wknd', 'summit', 'legacy'].map((name) => [`wknd/${name}`, files])) },
  });
  const settings = { ...settingsOf(hosted), REPOLESS_HOSTED_CODE_HOST: codeHost, REPOLESS_HOSTED_CODE_HOST_RAW: `${codeHost}/raw` };
  const { address, successor, previewDomain, liveDomain } = hosted;
  const service = hostedServiceAt(address, {
    service: address,
    successor,
    previewDomain,
    liveDomain,
    codeHost,
    codeHostRaw: `${codeHost}/raw`,
  });
  if (service === undefined) throw new Error('The stand-in is not recognized as a hosted service.');
  const options = {
    ...service,
    fetchHosted: createFetchHosted({
      wait: () => new Promise((resolve) => setImmediate(resolve)),
      now: () => 0,
      dispatcher: onThisMachine(),
    }),
    store: memoryStore().store,
    info: infoOf(service),
    now: () => new Date(),
  };
  // A new one for each call: tests also write without the bridge, so its cache would be outdated.
  const bridge = () => createBridge(options);
  const token = (who: string) => hosted.token('session', { email: who });
  const port = Number(new URL(address).port);
  return {
    hosted,
    settings,
    address,
    port,
    dataDir: '',
    get store(): never {
      throw new Error('The hosted service has its own store.');
    },
    fetch: (otherwise) => (input, init) => bridgedFetch(bridge(), address, otherwise)(input, init),
    token: async (who) => token(typeof who === 'string' ? who : who.email),
    handOver: async () => undefined,
    async call(method, path, { as, body, headers = {} } = {}) {
      const isText = typeof body === 'string';
      const answer = await bridge()({
        method,
        path,
        headers: {
          ...(body === undefined ? {} : { 'content-type': isText ? 'text/plain' : 'application/json' }),
          ...(as === undefined ? {} : { 'x-auth-token': token(as) }),
          ...headers,
        },
        ...(body === undefined ? {} : { body: isText ? body : JSON.stringify(body) }),
      });
      return answerOf(answer.status, answer.headers, answer.text);
    },
    visit: (tier, site, path, more) => ask(address, path, { host: `${site}.${tier === 'preview' ? previewDomain : liveDomain}`, ...more }),
    async stop() {
      await hosted.close();
      if (hosted.violations.length > 0) throw new Error(hosted.violations.join('\n'));
    },
  };
}

function seedOf(...names: readonly string[]): HostedSeed {
  const users = USERS.map((email) => ({ id: email.replace(/\W/g, '-'), email, roles: ['admin'] }));
  return { organizations: Object.fromEntries(names.map((name) => [name, { title: 'Tarnfell', users }])), sites: [] };
}
