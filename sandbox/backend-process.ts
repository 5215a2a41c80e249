import { spawn, type ChildProcess } from 'node:child_process';
import { createWriteStream } from 'node:fs';
import { join } from 'node:path';
import { setTimeout as wait } from 'node:timers/promises';
import { TECHNICAL_ACCOUNT_PROPERTY } from '@repoless/contract/edge-fields.ts';
import type { Addresses, Ports } from './addresses.ts';
import { AUTHORING_AUDIENCE, AUTHORING_RESOURCE, PROVIDER_NAME, SERVICE_CLIENT } from './identity-provider/accounts.ts';

/** A server of the product as a separate process, which can be killed and restarted. */
export interface BackendProcess {
  readonly address: string;
  /** The current process; undefined while it is down. */
  readonly pid: number | undefined;
  /** Sends it a signal and waits until it has ended. */
  kill(signal: NodeJS.Signals): Promise<void>;
  /** Starts it (ending a running one first) and waits until it is ready. */
  restart(): Promise<void>;
  stop(): Promise<void>;
}

export interface BackendOptions {
  readonly root: string;
  /** Its name in messages, and its program, relative to the project's folder. */
  readonly name: string;
  readonly program: string;
  readonly address: string;
  readonly environment: Readonly<Record<string, string>>;
  /** Receives the backend's output. */
  readonly logFile: string;
  /** Restarts it when its files change (development). */
  readonly watch: boolean;
  /** Called if it ends by itself. */
  onUnexpectedEnd(sentence: string): void;
}

/** Starts the program and resolves once it is ready. */
export async function startBackend(options: BackendOptions): Promise<BackendProcess> {
  let child: ChildProcess | undefined;
  const expected = new WeakSet<ChildProcess>();

  const kill = async (signal: NodeJS.Signals) => {
    const running = child;
    if (running === undefined) return;
    expected.add(running);
    const ended = new Promise((resolve) => running.once('exit', resolve));
    running.kill(signal);
    await ended;
  };
  const start = async () => {
    await kill('SIGTERM');
    const started = run(options);
    child = started.child;
    started.child.once('exit', (code, signal) => {
      if (child === started.child) child = undefined;
      if (!expected.has(started.child)) {
        options.onUnexpectedEnd(
          `${options.name} ended unexpectedly (${signal ?? code}). It wrote: ${started.lastLines()} (all of it: ${options.logFile})`,
        );
      }
    });
    await ready(options, started.child, started.lastLines);
  };
  await start();
  return {
    address: options.address,
    get pid() {
      return child?.pid;
    },
    kill,
    restart: start,
    stop: () => kill('SIGTERM'),
  };
}

function run(options: BackendOptions): { child: ChildProcess; lastLines: () => string } {
  const program = join(options.root, options.program);
  const child = spawn(process.execPath, [...(options.watch ? ['--watch', '--watch-preserve-output'] : []), program], {
    cwd: options.root,
    env: { ...inherited(), ...options.environment },
    stdio: ['ignore', 'pipe', 'pipe'],
  });
  const log = createWriteStream(options.logFile, { flags: 'a' });
  let last = '';
  for (const stream of [child.stdout, child.stderr]) {
    stream.on('data', (chunk: Buffer) => {
      log.write(chunk);
      last = (last + chunk.toString()).slice(-LAST_CHARACTERS);
    });
  }
  child.once('close', () => log.end());
  return { child, lastLines: () => last.trim() };
}

/** The environment that a program needs to run at all; settings of the user's shell must not leak into the backend. */
function inherited(): Record<string, string> {
  const environment: Record<string, string> = {};
  for (const name of ['PATH', 'HOME', 'TMPDIR', 'TEMP', 'SystemRoot', 'LANG', 'NODE_OPTIONS']) {
    const value = process.env[name];
    if (value !== undefined) environment[name] = value;
  }
  return environment;
}

async function ready({ name, address }: BackendOptions, child: ChildProcess, lastLines: () => string): Promise<void> {
  const deadline = Date.now() + READY_WITHIN;
  while (Date.now() < deadline) {
    if (child.exitCode !== null || child.signalCode !== null) throw new Error(`${name} did not start. It wrote:\n${lastLines()}`);
    const answer = await fetch(`${address}/health`, { signal: AbortSignal.timeout(10_000) }).catch(() => undefined);
    await answer?.body?.cancel();
    if (answer?.ok === true) return;
    await wait(POLL_EVERY);
  }
  child.kill('SIGKILL');
  throw new Error(`${name} did not respond at ${address}/health within ${READY_WITHIN / 1000} seconds. It wrote:\n${lastLines()}`);
}

/** A busy machine may be slow; a program that ends is noticed immediately. */
const READY_WITHIN = 60_000;
const POLL_EVERY = 40;
const LAST_CHARACTERS = 2000;

/** Claims the sandbox's organization at the first start. */
export const OPERATOR = 'ada.admin@example.com';

/** The settings of the backend in the sandbox: every other system is a stand-in on this machine. */
export function backendEnvironment(
  ports: Ports,
  addresses: Addresses,
  dataDir: string,
  furtherOrigins: readonly string[] = [],
): Record<string, string> {
  return {
    ...commonEnvironment(addresses, dataDir, furtherOrigins),
    PORT: String(ports.backend),
    PUBLIC_ADDRESS: addresses.backend,
    PREVIEW_DOMAIN: addresses.previewDomain,
    LIVE_DOMAIN: addresses.liveDomain,
    HOST_PROTOCOL: 'http',
    OPERATORS: OPERATOR,
    CODE_HOST: addresses.codeHost,
    CODE_HOST_API: `${addresses.codeHost}/api`,
    CODE_HOST_RAW: `${addresses.codeHost}/raw`,
    IDP_NAME: PROVIDER_NAME,
    IDP_ISSUER: addresses.identity,
    IDP_CLIENT_ID: SERVICE_CLIENT.clientId,
    IDP_CLIENT_SECRET: SERVICE_CLIENT.clientSecret,
    IDP_AUTHORING_AUDIENCE: AUTHORING_RESOURCE,
    TRUSTED_ISSUERS: JSON.stringify([{ issuer: addresses.identity, audience: AUTHORING_AUDIENCE }]),
    AUTHOR_HOSTS: [addresses.author, addresses.secondAuthor].map((address) => new URL(address).host).join(','),
    BUILD_MANAGEMENT: addresses.buildManagement,
    BUILD_MANAGEMENT_KEY,
    TECHNICAL_ACCOUNT_PROPERTY,
  };
}

/** The key between the service and build management in the sandbox. */
export const BUILD_MANAGEMENT_KEY = 'sandbox-build-management-key';

/** The settings of build management in the sandbox. */
export function buildManagementEnvironment(
  ports: Ports,
  addresses: Addresses,
  dataDir: string,
  furtherOrigins: readonly string[] = [],
): Record<string, string> {
  return {
    ...commonEnvironment(addresses, dataDir, furtherOrigins),
    PORT: String(ports.buildManagement),
    PUBLIC_ADDRESS: addresses.buildManagement,
    SERVICE_ADDRESS: addresses.backend,
    BUILD_MANAGEMENT_KEY,
  };
}

function commonEnvironment(addresses: Addresses, dataDir: string, furtherOrigins: readonly string[]) {
  return {
    DATA_DIR: dataDir,
    ALLOWED_ORIGINS: [addresses.extension, addresses.console, ...furtherOrigins].join(','),
    // The stand-ins are on loopback and speak HTTP, which programs in production refuse to call.
    INTERNAL_ADDRESSES: 'allow',
    // One machine runs everything, including a browser: a delayed event loop is not an overload.
    OVERLOAD_DELAY: '0',
    LOG_LEVEL: 'info',
  };
}
