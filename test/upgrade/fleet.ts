import { mkdtemp } from 'node:fs/promises';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { createTokens } from '@repoless/service/sessions/tokens.ts';
import { openStore } from '@repoless/service/db/open-store.ts';
import { openSigningKeys } from '@repoless/service/db/signing-key-file.ts';
import { freePorts } from '@repoless/sandbox/addresses.ts';
import { ask } from '../support/ask.ts';
import type { TestAnswer, TestRequest } from '../support/ask.ts';
import { OPERATOR } from '../support/backend.ts';
import { startChildBackend, temporaryDirectory } from '../support/child-backend.ts';
import type { ChildBackend } from '../support/child-backend.ts';
import { startOrganizations } from '../support/code-host.ts';
import { startPostgres } from '../support/postgres.ts';
import { startRoundRobin } from './round-robin.ts';

export const SERVICE = 'service.example.com';

/** Three nodes on one PostgreSQL, and what stands before them. */
export interface Fleet {
  readonly folder: string;
  readonly databaseUrl: string;
  readonly keyFiles: { readonly signing: string; readonly secret: string };
  /** A request of the operator to the service, or of a visitor where `host` is another one, to whichever node has its turn. */
  ask(path: string, asked?: TestRequest): Promise<TestAnswer>;
  /** The same to one of the nodes. */
  askNode(node: number, path: string, asked?: TestRequest): Promise<TestAnswer>;
  /** Restarts the nodes one after the other, as a machine does. `restarted` is called after each. */
  restart(restarted: () => Promise<void>): Promise<void>;
  /** The operator signs in again, with the key that signs now. */
  signIn(): Promise<void>;
  /** What the nodes wrote that run now. */
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
  const before = await startRoundRobin(ports);
  for (const port of ports) await before.sees(port, true);
  let token = await newToken(keyFiles.signing);
  const asOperator = ({ host = SERVICE, headers, ...asked }: TestRequest) => ({
    ...asked,
    host,
    headers: host === SERVICE ? { 'x-auth-token': token, ...headers } : { ...headers },
  });
  return {
    folder: folder.path,
    databaseUrl,
    keyFiles,
    ask: (path, asked = {}) => ask(before.address, path, asOperator(asked)),
    askNode: (node, path, asked = {}) => ask(`http://127.0.0.1:${ports[node]}`, path, asOperator(asked)),
    async restart(restarted) {
      for (const port of ports) {
        const node = nodes.get(port);
        node?.child.kill('SIGTERM');
        const end = await node?.ended;
        if (end?.code !== 0) throw new Error(`A node did not end in order: ${JSON.stringify(end)} ${node?.output()}`);
        nodes.set(port, await start(port));
        await before.sees(port, true);
        await restarted();
      }
    },
    async signIn() {
      token = await newToken(keyFiles.signing);
    },
    output: () => [...nodes.values()].map((node) => node.output()).join(''),
    async stop() {
      await before.close();
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
  // Nothing of a token is stored, so that any store will do.
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
