import { existsSync } from 'node:fs';
import { createServer } from 'node:net';
import { dirname, join } from 'node:path';

/** One port for each program of the sandbox. */
export interface Ports {
  readonly backend: number;
  readonly extension: number;
  readonly console: number;
  readonly authoring: number;
  readonly identity: number;
  readonly codeHost: number;
  readonly buildManagement: number;
  readonly vendorHost: number;
  readonly hosted: number;
}

export const DEFAULT_PORTS: Ports = {
  backend: 4000,
  extension: 4001,
  console: 4002,
  authoring: 4003,
  identity: 4004,
  codeHost: 4005,
  buildManagement: 4006,
  vendorHost: 4007,
  hosted: 4008,
};

/** The environment variable that sets a program's port. */
export const PORT_SETTINGS: Readonly<Record<keyof Ports, string>> = {
  backend: 'BACKEND_PORT',
  extension: 'EXTENSION_PORT',
  console: 'CONSOLE_PORT',
  authoring: 'AUTHORING_PORT',
  identity: 'IDENTITY_PORT',
  codeHost: 'CODE_HOST_PORT',
  buildManagement: 'BUILD_MANAGEMENT_PORT',
  vendorHost: 'VENDOR_HOST_PORT',
  hosted: 'HOSTED_PORT',
};

/** The addresses of a sandbox's programs; `author` is the base environment, `secondAuthor` the other one on the same port. */
export interface Addresses {
  readonly backend: string;
  readonly previewDomain: string;
  readonly liveDomain: string;
  readonly extension: string;
  readonly console: string;
  readonly author: string;
  readonly secondAuthor: string;
  readonly identity: string;
  readonly codeHost: string;
  readonly buildManagement: string;
  /** An external git vendor, whose repositories are connected to build management. */
  readonly vendorHost: string;
  /** The stand-in of the vendor's hosted service, if the backend runs in front of it. */
  readonly hosted: string;
}

/** `isHosted`: the hosts of sites are those of the hosted service. */
export function addressesOf(ports: Ports, isHosted = false): Addresses {
  const sites = isHosted ? ports.hosted : ports.backend;
  return {
    backend: `http://localhost:${ports.backend}`,
    previewDomain: `preview.localhost:${sites}`,
    liveDomain: `live.localhost:${sites}`,
    extension: `http://localhost:${ports.extension}`,
    console: `http://localhost:${ports.console}`,
    author: `http://author-p100-e200.authoring.localhost:${ports.authoring}`,
    secondAuthor: `http://author-p100-e300.authoring.localhost:${ports.authoring}`,
    identity: `http://localhost:${ports.identity}`,
    codeHost: `http://localhost:${ports.codeHost}`,
    buildManagement: `http://localhost:${ports.buildManagement}`,
    vendorHost: `http://localhost:${ports.vendorHost}`,
    hosted: `http://localhost:${ports.hosted}`,
  };
}

/** Ports from the environment, with defaults. Throws a message if a setting is not a port. */
export function portsFrom(environment: Readonly<Record<string, string | undefined>>): Ports {
  const port = (program: keyof Ports): number => {
    const text = environment[PORT_SETTINGS[program]];
    if (text === undefined || text === '') return DEFAULT_PORTS[program];
    if (/^\d{1,5}$/.test(text) && Number(text) > 0 && Number(text) < 65_536) return Number(text);
    throw new Error(`${PORT_SETTINGS[program]} is "${text}": write a port number from 1 to 65535.`);
  };
  return everyProgram(port);
}

/**
 * Free ports, all different, outside the range that systems assign, so they stay free until they are used and while a program restarts. Concurrent
 * processes start at different numbers.
 */
export async function freePorts(): Promise<Ports> {
  const found: number[] = [];
  while (found.length < Object.keys(DEFAULT_PORTS).length) {
    const port = next;
    next = next + 1 < HIGHEST ? next + 1 : LOWEST;
    if (await isFree(port)) found.push(port);
  }
  return everyProgram(() => found.pop() ?? 0);
}

/** Below the ranges that Linux, macOS and Windows assign from, above those of well-known services. */
const [LOWEST, HIGHEST] = [15_000, 32_000];
/** Distance between the first ports of two processes started in succession. */
const APART = 512;
let next = LOWEST + ((process.pid * APART) % (HIGHEST - LOWEST));

function everyProgram(port: (program: keyof Ports) => number): Ports {
  return {
    backend: port('backend'),
    extension: port('extension'),
    console: port('console'),
    authoring: port('authoring'),
    identity: port('identity'),
    codeHost: port('codeHost'),
    buildManagement: port('buildManagement'),
    vendorHost: port('vendorHost'),
    hosted: port('hosted'),
  };
}

function isFree(port: number): Promise<boolean> {
  return new Promise((resolve) => {
    const server = createServer();
    server.once('error', () => resolve(false));
    server.listen(port, '127.0.0.1', () => server.close(() => resolve(true)));
  });
}

/** The folder of this project, whether the caller runs from source or from dist. */
export function projectRoot(): string {
  let folder = import.meta.dirname;
  while (!existsSync(join(folder, 'package-lock.json'))) {
    const above = dirname(folder);
    if (above === folder) throw new Error('The sandbox runs only inside a clone of the project: no package-lock.json above its files.');
    folder = above;
  }
  return folder;
}
