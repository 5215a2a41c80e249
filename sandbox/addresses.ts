import { existsSync } from 'node:fs';
import { createServer } from 'node:net';
import { dirname, join } from 'node:path';

/** The programs of the sandbox: the environment variable that sets the port of each, and its default. */
const PROGRAMS = {
  backend: ['BACKEND_PORT', 4000],
  extension: ['EXTENSION_PORT', 4001],
  console: ['CONSOLE_PORT', 4002],
  authoring: ['AUTHORING_PORT', 4003],
  identity: ['IDENTITY_PORT', 4004],
  codeHost: ['CODE_HOST_PORT', 4005],
  buildManagement: ['BUILD_MANAGEMENT_PORT', 4006],
  vendorHost: ['VENDOR_HOST_PORT', 4007],
  hosted: ['HOSTED_PORT', 4008],
} as const;

type Program = keyof typeof PROGRAMS;
/** One port for each program. */
export type Ports = Readonly<Record<Program, number>>;

export const DEFAULT_PORTS: Ports = everyProgram((program) => PROGRAMS[program][1]);
export const PORT_SETTINGS: Readonly<Record<Program, string>> = everyProgram((program) => PROGRAMS[program][0]);

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
  const port = (program: Program): number => {
    const text = environment[PORT_SETTINGS[program]];
    if (text === undefined || text === '') return DEFAULT_PORTS[program];
    if (/^\d{1,5}$/.test(text) && Number(text) > 0 && Number(text) < 65_536) return Number(text);
    throw new Error(`${PORT_SETTINGS[program]} is "${text}": write a port number from 1 to 65535.`);
  };
  return everyProgram(port);
}

/**
 * Free ports, all different, outside the range that systems assign, so they stay free until they are used and while a program restarts.
 * Concurrent processes start at different numbers.
 */
export async function freePorts(): Promise<Ports> {
  const found: number[] = [];
  while (found.length < Object.keys(PROGRAMS).length) {
    const port = next;
    next = next + 1 < HIGHEST ? next + 1 : LOWEST;
    if (await isFree(port)) found.push(port);
  }
  return everyProgram(() => found.pop() ?? 0);
}

/** Below the ranges that Linux, macOS and Windows assign from, above those of well-known services. */
const [LOWEST, HIGHEST] = [15_000, 32_000];
/** Distance between the first ports of two processes started in succession. */
const SEPARATE = 512;
let next = LOWEST + ((process.pid * SEPARATE) % (HIGHEST - LOWEST));

// Safe: the keys are those of the table.
function everyProgram<T>(of: (program: Program) => T): Readonly<Record<Program, T>> {
  const programs = Object.keys(PROGRAMS) as Program[];
  return Object.fromEntries(programs.map((program) => [program, of(program)])) as Record<Program, T>;
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
