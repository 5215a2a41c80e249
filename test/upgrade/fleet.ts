import { freePorts } from '@repoless/sandbox/addresses.ts';
import { openSigningKeys } from '@repoless/service/db/key-files.ts';
import { openStore } from '@repoless/service/db/open-store.ts';
import { createTokens } from '@repoless/service/sessions/tokens.ts';
import { mkdtemp } from 'node:fs/promises';
import { Agent, createServer, type IncomingMessage, request, type ServerResponse } from 'node:http';
import type { AddressInfo } from 'node:net';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { ask, type TestAnswer, type TestRequest } from '../support/ask.ts';
import { OPERATOR } from '../support/backend.ts';
import { type ChildBackend, startChildBackend, temporaryDirectory } from '../support/child-backend.ts';
import { startOrganizations } from '../support/code-host.ts';
import { startPostgres } from '../support/postgres.ts';

export const SERVICE = 'service.example.com';

/** Three nodes on one PostgreSQL, and their load balancer. */
export interface Fleet {
  readonly folder: string;
  readonly databaseUrl: string;
  readonly keyFiles: { readonly signing: string; readonly secret: string };
  /** Sends a request of the operator, or of a visitor if `host` is another one, to the next node in turn. */
  ask(path: string, options?: TestRequest): Promise<TestAnswer>;
  /** The same to one of the nodes. */
  askNode(node: number, path: string, options?: TestRequest): Promise<TestAnswer>;
  /** Restarts the nodes one by one, as a machine does. `restarted` is called after each. */
  restart(restarted: () => Promise<void>): Promise<void>;
  /** Signs the operator in again, with the current signing key. */
  signIn(): Promise<void>;
  /** The output of the running nodes. */
  output(): string;
  stop(): Promise<void>;
}

export async function startFleet(): Promise<Fleet> {
  const folder = await temporaryDirectory();
  const postgres = await startPostgres();
  const codeHost = await startOrganizations('wknd');
  const databaseUrl = await postgres.database();
  const keyFiles = { signing: join(folder.path, 'signing.json'), secret: join(folder.path, 'secret.json') };
  const settings = {
    PUBLIC_ADDRESS: `http://${SERVICE}`,
    LIVE_DOMAIN: 'live.example.com',
    PREVIEW_DOMAIN: 'preview.example.com',
    SIGNING_KEY_FILE: keyFiles.signing,
    SECRET_KEY_FILE: keyFiles.secret,
    CODE_HOST_API: codeHost.address,
    CODE_HOST_RAW: codeHost.address,
    CODE_STORE: 'database',
    INTERNAL_ADDRESSES: 'allow',
    OPERATORS: OPERATOR,
    RATE_LIMIT: '0',
    LOG_LEVEL: 'warn',
    SHUTDOWN_DELAY: '2',
    DATABASE_URL: databaseUrl,
  };
  const start = (port: number) => startChildBackend(folder.path, { ...settings, PORT: String(port) });
  const ports = Object.values(await freePorts()).slice(0, 3);
  const nodes = new Map<number, ChildBackend>();
  for (const port of ports) nodes.set(port, await start(port));
  const balancer = await startRoundRobin(ports);
  for (const port of ports) await balancer.sees(port, true);
  let token = await newToken(keyFiles.signing);
  const asOperator = ({ host = SERVICE, headers, ...options }: TestRequest) => ({
    ...options,
    host,
    headers: host === SERVICE ? { 'x-auth-token': token, ...headers } : { ...headers },
  });
  return {
    folder: folder.path,
    databaseUrl,
    keyFiles,
    ask: (path, options = {}) => ask(balancer.address, path, asOperator(options)),
    askNode: (node, path, options = {}) => ask(`http://127.0.0.1:${ports[node]}`, path, asOperator(options)),
    async restart(restarted) {
      for (const port of ports) {
        const node = nodes.get(port);
        node?.child.kill('SIGTERM');
        const end = await node?.ended;
        if (end?.code !== 0) throw new Error(`A node did not end cleanly: ${JSON.stringify(end)} ${node?.output()}`);
        nodes.set(port, await start(port));
        await balancer.sees(port, true);
        await restarted();
      }
    },
    async signIn() {
      token = await newToken(keyFiles.signing);
    },
    output: () => [...nodes.values()].map((node) => node.output()).join(''),
    async stop() {
      await balancer.close();
      for (const { child, ended } of nodes.values()) {
        child.kill('SIGKILL');
        await ended;
      }
      await postgres.stop();
      await codeHost.stop();
      await folder.remove();
    },
  };
}

async function newToken(keyFile: string): Promise<string> {
  // Signing stores nothing, so any store will do.
  const store = await openStore({ dataDir: await mkdtemp(join(tmpdir(), 'repoless-tokens-')) });
  const tokens = createTokens({
    keys: await openSigningKeys(keyFile),
    issuer: `http://${SERVICE}`,
    lifetime: 86_400,
    store,
    now: () => new Date(),
  });
  const { token } = await tokens.issue({ email: OPERATOR });
  await store.close();
  return token;
}

/** The load balancer: polls whether each node is ready, and distributes requests among those in turn. */
interface RoundRobin {
  readonly address: string;
  /** Resolves when it considers the node with this port ready, or not ready. */
  sees(port: number, ready: boolean): Promise<void>;
  close(): Promise<void>;
}

interface Target {
  readonly port: number;
  readonly agent: Agent;
  ready: boolean;
}

/**
 * A minimal proxy: it reuses connections, retries nothing, and answers errors as 502. The header `x-node` of an answer names its node.
 */
async function startRoundRobin(ports: readonly number[]): Promise<RoundRobin> {
  const targets: Target[] = ports.map((port) => ({
    port,
    agent: new Agent({ keepAlive: true }),
    ready: false,
  }));
  const waiting = new Set<() => void>();
  let [turn, closed] = [0, false];
  const polls = targets.map(poll);

  async function poll(target: Target): Promise<void> {
    while (!closed) {
      const answer = await ask(`http://127.0.0.1:${target.port}`, '/ready').catch(() => undefined);
      target.ready = answer?.status === 200;
      for (const notify of waiting) notify();
      await new Promise((resolve) => setTimeout(resolve, PAUSE));
    }
  }

  /** Evaluated after each poll of a node. */
  function until(wanted: number, holds: (target: Target) => boolean): Promise<void> {
    return new Promise((resolve) => {
      const notify = () => {
        if (!targets.some((target) => target.port === wanted && holds(target))) return;
        waiting.delete(notify);
        resolve();
      };
      waiting.add(notify);
      notify();
    });
  }

  function pass(incoming: IncomingMessage, response: ServerResponse): void {
    const ready = targets.filter((target) => target.ready);
    const target = ready[(turn += 1) % ready.length];
    if (target === undefined) return fail(response, 'No node is ready.');
    const { method, url: path, headers } = incoming;
    const outgoing = request({ host: '127.0.0.1', port: target.port, agent: target.agent, method, path, headers }, (answer) => {
      const { connection: _connection, 'keep-alive': _keepAlive, 'transfer-encoding': _encoding, ...others } = answer.headers;
      response.writeHead(answer.statusCode ?? 502, { ...others, 'x-node': String(target.port) });
      answer.on('error', () => response.destroy());
      answer.pipe(response);
    });
    outgoing.on('error', (error) => fail(response, `Node ${target.port}: ${error.message}`));
    incoming.pipe(outgoing);
  }

  const server = createServer(pass);
  await new Promise<void>((resolve) => server.listen(0, '127.0.0.1', resolve));
  const { port } = server.address() as AddressInfo;
  return {
    address: `http://127.0.0.1:${port}`,
    sees: (wanted, ready) => until(wanted, (target) => target.ready === ready),
    async close() {
      closed = true;
      await Promise.all(polls);
      for (const { agent } of targets) agent.destroy();
      server.closeAllConnections();
      await new Promise((resolve) => server.close(resolve));
    },
  };
}

function fail(response: ServerResponse, message: string): void {
  if (response.headersSent) response.destroy();
  else response.writeHead(502, { 'content-type': 'text/plain' }).end(message);
}

/** Milliseconds between two polls. */
const PAUSE = 50;
