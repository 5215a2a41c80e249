import { Agent } from 'node:http';
import { join } from 'node:path';
import { freePort } from './free-port.ts';
import { readSettings } from '#backend/config.ts';
import { createTokens } from '#backend/domain/sessions/tokens.ts';
import { openStore } from '#backend/storage/open-store.ts';
import { openSigningKeys } from '#backend/storage/signing-key-file.ts';
import { ask } from './ask.ts';
import type { TestAnswer, TestRequest } from './ask.ts';
import { OPERATOR, publicPart, siteBody } from './backend.ts';
import { buildBackend, startChildBackend, temporaryDirectory } from './child-backend.ts';
import type { ChildBackend } from './child-backend.ts';
import { startOrganizations } from './code-host.ts';
import { sendSignal } from './send-signal.ts';

const SERVICE = 'service.example.com';

/** The service as a program with delivery processes. */
export interface WorkerBackend extends ChildBackend {
  readonly port: number;
  /** An operator's. */
  readonly token: string;
  readonly dataDir: string;
  /** The numbers of the processes that answer now, by their names. */
  workers(): ReadonlyMap<string, number>;
  /** A call of the service, as the operator unless `headers` say otherwise. */
  call(method: string, path: string, asked?: Omit<TestRequest, 'method' | 'host'>): Promise<TestAnswer>;
  /** What the live host of a site answers. */
  visit(site: string, path?: string, asked?: TestRequest): Promise<TestAnswer>;
  /** Stores a site whose `config.json` has this number. */
  site(name: string, count: number): Promise<void>;
  signal(pid: number, name: 'SIGSTOP' | 'SIGCONT' | 'SIGKILL'): void;
  stop(): Promise<void>;
}

/** In: settings over those of a test; `DELIVERY_WORKERS` is 2 where they do not say it. */
export async function startWorkerBackend(given: Readonly<Record<string, string>> = {}): Promise<WorkerBackend> {
  await buildBackend();
  const folder = await temporaryDirectory();
  const codeHost = await startOrganizations('wknd');
  const settings = {
    DELIVERY_WORKERS: '2',
    PUBLIC_ADDRESS: `http://${SERVICE}`,
    LIVE_DOMAIN: 'live.example.com',
    PREVIEW_DOMAIN: 'preview.example.com',
    SIGNING_KEY_FILE: join(folder.path, 'signing.json'),
    CODE_HOST_API: codeHost.address,
    CODE_HOST_RAW: codeHost.address,
    INTERNAL_ADDRESSES: 'allow',
    OPERATORS: OPERATOR,
    RATE_LIMIT: '0',
    SHUTDOWN_GRACE: '20',
    PORT: String(await freePort()),
    ...given,
  };
  const token = await tokenOf(folder.path, settings);
  const running = await startChildBackend(folder.path, settings);
  const port = Number(settings.PORT);
  const address = `http://127.0.0.1:${port}`;
  const agent = new Agent({ keepAlive: true, timeout: 1000 });
  const backend: WorkerBackend = {
    ...running,
    address,
    port,
    token,
    dataDir: folder.path,
    workers: () => workersIn(running.output()),
    call: (method, path, { headers, ...asked } = {}) =>
      ask(address, path, { host: SERVICE, agent, ...asked, method, headers: { 'x-auth-token': token, ...headers } }),
    visit: (site, path = '/config.json', asked = {}) => ask(address, path, { host: `main--${site}--wknd.live.example.com`, ...asked }),
    async site(name, count) {
      const body = siteBody('wknd', name, { public: { ...publicPart(name), count } });
      const { status, text } = await backend.call('POST', `/config/wknd/sites/${name}.json?unchecked=true`, { body });
      if (status > 201) throw new Error(`${name}: ${status} ${text}`);
    },
    signal: (pid, name) => void process.kill(pid, name),
    async stop() {
      agent.destroy();
      running.child.kill('SIGKILL');
      for (const pid of backend.workers().values()) sendSignal(pid, 'SIGKILL');
      await running.ended;
      await codeHost.stop();
      await folder.remove();
    },
  };
  const { status, text } = await backend.call('PUT', '/config/wknd.json', { body: {} });
  if (status !== 201) throw new Error(`The organization was not claimed: ${status} ${text}`);
  return backend;
}

function workersIn(output: string): ReadonlyMap<string, number> {
  const found = new Map<string, number>();
  for (const [, name = '', pid, ended] of output.matchAll(
    /The process \\"([\w-]+)\\" (?:answers \(process (\d+)\)|(ended|does not respond))/g,
  )) {
    if (ended === undefined) found.set(name, Number(pid));
    else found.delete(name);
  }
  return found;
}

async function tokenOf(dataDir: string, given: Readonly<Record<string, string>>): Promise<string> {
  const settings = readSettings({ ...given, DATA_DIR: dataDir });
  const store = await openStore({ dataDir, ...(settings.DATABASE_URL !== undefined && { databaseUrl: settings.DATABASE_URL.reveal() }) });
  const keys = await openSigningKeys(settings.SIGNING_KEY_FILE);
  const tokens = createTokens({ keys, issuer: `http://${SERVICE}`, lifetime: 86_400, store, now: () => new Date() });
  const { token } = await tokens.issue({ email: OPERATOR });
  await store.close();
  return token;
}
