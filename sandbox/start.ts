import { extensionPolicy } from '@repoless/contract/extension.ts';
import { existsSync } from 'node:fs';
import { mkdir, writeFile } from 'node:fs/promises';
import { join } from 'node:path';
import { type Addresses, addressesOf, DEFAULT_PORTS, freePorts, PORT_SETTINGS, type Ports, projectRoot } from './addresses.ts';
import { startAuthoringSystem } from './authoring-system/start-authoring-system.ts';
import {
  backendEnvironment,
  buildManagementEnvironment,
  OPERATOR,
  type BackendOptions,
  type BackendProcess,
  startBackend,
} from './backend-process.ts';
import { startCodeHost } from './code-host/start-code-host.ts';
import { startConsole } from './console-server/start-console.ts';
import { AUTHORING_RESOURCE, CONSOLE_CLIENT_ID } from './identity-provider/accounts.ts';
import type { Hosted } from './hosted/start-hosted.ts';
import { startSeededHosted, upstreamEnvironment } from './hosted/seeded.ts';
import { startIdentityProvider } from './identity-provider/start-identity-provider.ts';
import type { GrownSize } from './seed/fleet-roots.ts';
import { seededOrganization, seedSites } from './seed/seed-sites.ts';
import { serviceTokenOf } from './sign-in-as.ts';
import { startVendorHost } from './vendor-host/start-vendor-host.ts';
import { listen, type Running, startFolder } from './web.ts';

export interface SandboxOptions {
  /** Ports that differ from the defaults, or `free` for any free ones. */
  readonly ports?: Partial<Ports> | 'free';
  /** All data of the programs is stored below; the same folder continues where it left off. */
  readonly dataDir: string;
  /** Receives progress messages. */
  log?(sentence: string): void;
  /** Settings of the backend, overriding the sandbox's own. */
  readonly backend?: Readonly<Record<string, string>>;
  /** A large content tree in addition to the seed, created when the data directory is new. */
  readonly grown?: GrownSize;
  /** Sites in addition to the seed, registered when the data directory is new. */
  readonly fleet?: number;
  /** The backend runs in front of a stand-in of the vendor's hosted service, which starts from the seed each time. */
  readonly hosted?: boolean;
  /** Lifetime of a token for the authoring system, in seconds. */
  readonly authoringTokenLifetime?: number;
  /** Origins other than the extension's and the console's that may call the service. */
  readonly extensionOrigins?: readonly string[];
  /** The built extension, if it is not that of `npm run build`. */
  readonly extensionFolder?: string;
  /** How the product's servers are started, if they are not separate programs. */
  readonly startServer?: (server: BackendOptions) => Promise<BackendProcess>;
  /** An authoring system other than the stand-in, for the tokens of this identity provider. */
  readonly startAuthoring?: (port: number, identityProvider: string) => Promise<Running>;
  /** Development: web apps have their own servers, the console's server listens here, the backend follows its files. */
  readonly development?: { readonly consoleServerPort: number };
}

export interface Sandbox {
  readonly addresses: Addresses;
  readonly dataDir: string;
  readonly backend: BackendProcess;
  readonly buildManagement: BackendProcess;
  readonly hosted?: Hosted;
  stop(): Promise<void>;
}

/** What the extension may load and request, and that only the console may frame it. */
function policyOf({ backend, previewDomain, liveDomain, buildManagement, console: shell }: Addresses): string {
  const info = { protocol: 'http', previewDomain, liveDomain, buildManagement } as const;
  return extensionPolicy({ service: backend, info, hosts: [shell] });
}

/** The extension's identifier in the Extension Manager. */
const EXTENSION_ID = 'repoless';

/**
 * Starts everything: the stand-ins, the backend as a separate process, and the two web apps on separate origins; then prepares the service
 * at the first start. Rejects if something fails, and stops what was started.
 */
export async function startSandbox(options: SandboxOptions): Promise<Sandbox> {
  const log = options.log ?? (() => undefined);
  const ports = options.ports === 'free' ? await freePorts() : { ...DEFAULT_PORTS, ...options.ports };
  const { hosted: isHosted = false } = options;
  const addresses = addressesOf(ports, isHosted);
  const folderOf = (program: string) => join(options.dataDir, program);
  await mkdir(folderOf('backend'), { recursive: true });
  const started: { stop(): Promise<void> }[] = [];
  const stop = async () => {
    for (const program of started.splice(0).reverse()) await program.stop();
  };
  const register = <T extends { stop(): Promise<void> }>(running: T): T => {
    started.push(running);
    return running;
  };
  const root = projectRoot();
  const { startServer = startBackend } = options;
  try {
    await settleAll([
      startProgram('identity', ports, async (port) =>
        register(
          await startIdentityProvider({
            port,
            backend: addresses.backend,
            console: addresses.console,
            dataDir: folderOf('identity-provider'),
            ...(options.authoringTokenLifetime === undefined ? {} : { tokenLifetime: options.authoringTokenLifetime }),
          }),
        ),
      ),
      startProgram('codeHost', ports, async (port) => register(await startCodeHost({ port, dataDir: folderOf('code-host') }))),
      startProgram('vendorHost', ports, async (port) => register(await startVendorHost({ port, dataDir: folderOf('vendor-host') }))),
      startProgram('authoring', ports, async (port) =>
        register(
          options.startAuthoring === undefined
            ? await startAuthoringSystem({
                port,
                dataDir: folderOf('authoring-system'),
                identityProvider: addresses.identity,
                edgeHost: addresses.liveDomain,
                ...(options.grown === undefined ? {} : { grown: options.grown }),
                ...(options.fleet === undefined ? {} : { fleet: options.fleet }),
              })
            : await options.startAuthoring(port, addresses.identity),
        ),
      ),
      startProgram('extension', ports, async (port) => {
        if (options.development === undefined)
          register(
            await startFolder({
              port,
              folder: options.extensionFolder ?? join(root, 'extension/dist/web'),
              settings: { service: addresses.backend },
              headers: { 'content-security-policy': policyOf(addresses) },
            }),
          );
      }),
      startProgram('console', ports, async (port) =>
        register(
          await startConsole({
            port: options.development?.consoleServerPort ?? port,
            folder: join(root, 'sandbox/dist/console-web'),
            scriptFolder: join(root, 'packaging/authoring/dist/web'),
            addresses,
            clientId: CONSOLE_CLIENT_ID,
            resource: AUTHORING_RESOURCE,
            organization: seededOrganization.org,
            extensionId: EXTENSION_ID,
            hosted: isHosted,
          }),
        ),
      ),
    ]);
    const hosted = isHosted
      ? await startProgram('hosted', ports, async (port) => startSeededHosted(port, addresses, options.fleet))
      : undefined;
    if (hosted !== undefined) register({ stop: () => hosted.close() });
    const upstream = hosted === undefined ? {} : upstreamEnvironment(hosted);
    const serve = (program: 'backend' | 'buildManagement', server: Pick<BackendOptions, 'name' | 'program' | 'environment' | 'logFile'>) =>
      startProgram(program, ports, async (port) => {
        await probe(port);
        const watch = options.development !== undefined;
        return register(await startServer({ root, address: addresses[program], watch, onUnexpectedEnd: log, ...server }));
      });
    const environment = { ...backendEnvironment(ports, addresses, folderOf('backend'), options.extensionOrigins), ...upstream };
    const backendStarts = serve('backend', {
      name: 'The backend',
      program: 'backend/dist/main.js',
      environment: { ...environment, ...options.backend },
      logFile: folderOf('backend.log'),
    });
    const buildManagementStarts = serve('buildManagement', {
      name: 'Build management',
      program: 'backend/dist/build-management/main.js',
      environment: buildManagementEnvironment(ports, addresses, folderOf('build-management'), options.extensionOrigins),
      logFile: folderOf('build-management.log'),
    });
    await settleAll([backendStarts, buildManagementStarts]);
    const [backend, buildManagement] = await Promise.all([backendStarts, buildManagementStarts]);
    if (hosted === undefined) await prepareService(addresses, options.dataDir, options.fleet);
    return { addresses, dataDir: options.dataDir, backend, buildManagement, ...(hosted === undefined ? {} : { hosted }), stop };
  } catch (error) {
    await stop();
    throw error;
  }
}

/** Starts one program; if its port is taken, the message names the setting that changes it. */
async function startProgram<T>(program: keyof Ports, ports: Ports, start: (port: number) => Promise<T>): Promise<T> {
  try {
    return await start(ports[program]);
  } catch (error) {
    if (!(error instanceof Error) || !('code' in error) || error.code !== 'EADDRINUSE') throw error;
    const setting = PORT_SETTINGS[program];
    throw new Error(
      `Port ${ports[program]} is in use by another program. Stop that program, or choose another port, for example: ${setting}=${ports[program] + 100} npm start`,
      { cause: error },
    );
  }
}

/** Rejects if the port is taken: the backend could report that only in its log. */
async function probe(port: number): Promise<void> {
  const probing: Running = await listen(port, (_request, response) => void response.writeHead(503).end());
  await probing.stop();
}

/** Waits for all, then throws the first failure: nothing keeps starting unnoticed. */
async function settleAll(starts: readonly Promise<unknown>[]): Promise<void> {
  for (const outcome of await Promise.allSettled(starts)) if (outcome.status === 'rejected') throw outcome.reason;
}

/** Sites registered concurrently. */
const AT_ONCE = 16;

/**
 * Claims the organization and registers the seeded sites through the public API, once for a data folder: what someone removes later stays
 * removed, and an interrupted first start continues.
 */
async function prepareService(addresses: Addresses, dataDir: string, fleet = 0): Promise<void> {
  const marker = join(dataDir, 'seeded');
  if (existsSync(marker)) return;
  const token = await serviceTokenOf(OPERATOR, addresses);
  const { org, body } = seededOrganization;
  await create(`${addresses.backend}/config/${org}.json`, body, token);
  const sites = seedSites(addresses, fleet).values();
  const createNext = async (): Promise<void> => {
    for (const { org: owner, site, body: config } of sites)
      await create(`${addresses.backend}/config/${owner}/sites/${site}.json`, config, token);
  };
  await Promise.all(Array.from({ length: AT_ONCE }, createNext));
  await writeFile(marker, '');
}

async function create(address: string, body: unknown, token: string): Promise<void> {
  const answer = await fetch(address, {
    method: 'PUT',
    headers: { 'x-auth-token': token, 'content-type': 'application/json', 'if-none-match': '*' },
    body: JSON.stringify(body),
  });
  await answer.body?.cancel();
  const isThereAlready = answer.status === 412;
  if (!answer.ok && !isThereAlready) throw new Error(`The service refuses ${address}: ${answer.headers.get('x-error') ?? answer.status}`);
}
