import { freePorts } from '@repoless/sandbox/addresses.ts';
import { openStore } from '@repoless/service/db/open-store.ts';
import { openSigningKeys } from '@repoless/service/db/key-files.ts';
import { createTokens } from '@repoless/service/sessions/tokens.ts';
import { join } from 'node:path';
import { ask, type TestAnswer, type TestRequest } from '../support/ask.ts';
import { OPERATOR, publicPart, siteBody } from '../support/backend.ts';
import { buildBackend, type ChildBackend, startChildBackend, temporaryDirectory } from '../support/child-backend.ts';
import { startOrganizations } from '../support/code-host.ts';
import { type Network, startNetwork } from '../support/network.ts';
import { type PostgresCluster, startPostgres } from '../support/postgres.ts';

const SERVICE = 'service.example.com';
const CLOCK = new URL('clock.mjs', import.meta.url).href;

export interface Node {
  readonly name: string;
  /** The network between it and the database. */
  readonly network: Network;
  signal(name: 'SIGSTOP' | 'SIGCONT' | 'SIGUSR2'): void;
  /** Kills the program and starts it again. */
  restart(): Promise<void>;
  /** The number of a site on its live host; undefined if it answers none. */
  read(site: string): Promise<number | undefined>;
  /**
   * Writes a number over the version with this etag. Returns the new etag if acknowledged, else undefined. A write that timed out may
   * still be stored, but never over a later one.
   */
  write(site: string, value: number, etag: string): Promise<string | undefined>;
  /** The etag of the stored version. */
  etag(site: string): Promise<string | undefined>;
}

export interface Deployment {
  readonly postgres: PostgresCluster;
  readonly nodes: readonly Node[];
  stop(): Promise<void>;
}

/** Three nodes as separate processes, each behind its own network, on one PostgreSQL with these sites. */
export async function startDeployment(sites: readonly string[]): Promise<Deployment> {
  await buildBackend();
  const folder = await temporaryDirectory();
  const postgres = await startPostgres();
  const codeHost = await startOrganizations('wknd');
  const databaseUrl = await postgres.database();
  const settings = {
    PUBLIC_ADDRESS: `http://${SERVICE}`,
    LIVE_DOMAIN: 'live.example.com',
    PREVIEW_DOMAIN: 'preview.example.com',
    SIGNING_KEY_FILE: join(folder.path, 'signing.json'),
    SECRET_KEY_FILE: join(folder.path, 'secret.json'),
    CODE_HOST_API: codeHost.address,
    CODE_HOST_RAW: codeHost.address,
    INTERNAL_ADDRESSES: 'allow',
    OPERATORS: OPERATOR,
    RATE_LIMIT: '0',
    LOG_LEVEL: 'error',
    NODE_OPTIONS: `--import ${CLOCK}`,
  };
  const token = await tokenOf(settings.SIGNING_KEY_FILE, folder.path, databaseUrl);
  const ports = Object.values(await freePorts()).slice(0, 3);
  const nodes: (Node & { kill(): Promise<void> })[] = [];
  for (const [index, port] of ports.entries()) nodes.push(await startNode(`node ${index + 1}`, port));
  const stop = async () => {
    for (const node of nodes) {
      await node.kill();
      await node.network.close();
    }
    await postgres.stop();
    await codeHost.stop();
    await folder.remove();
  };
  try {
    await prepare();
  } catch (error) {
    await stop();
    throw error;
  }
  return { postgres, nodes, stop };

  async function startNode(name: string, port: number): Promise<Node & { kill(): Promise<void> }> {
    const network = await startNetwork({ path: postgres.socket });
    const through = new URL(databaseUrl);
    through.search = '';
    through.host = `127.0.0.1:${network.port}`;
    const start = () => startChildBackend(folder.path, { ...settings, PORT: String(port), DATABASE_URL: through.href });
    let running: ChildBackend = await start();
    const call = (path: string, request: TestRequest = {}): Promise<TestAnswer> =>
      ask(`http://127.0.0.1:${port}`, path, { host: SERVICE, ...request });
    const kill = async () => {
      running.child.kill('SIGKILL');
      await running.ended;
    };
    return {
      name,
      network,
      kill,
      signal: (signal) => void running.child.kill(signal),
      async restart() {
        await kill();
        running = await start();
      },
      async read(site) {
        const answer = await call('/config.json', { host: `main--${site}--wknd.live.example.com` }).catch(() => undefined);
        const [, value] = answer?.status === 200 ? (/"count": (\d+)/.exec(answer.text) ?? []) : [];
        return value === undefined ? undefined : Number(value);
      },
      async write(site, value, etag) {
        const body = { ...publicPart(site), count: value };
        const request = { method: 'POST', headers: { 'x-auth-token': token, 'if-match': etag }, body };
        const answer = await call(`/config/wknd/sites/${site}/public.json`, request).catch(() => undefined);
        if (answer !== undefined && answer.status < 500 && ![200, 412].includes(answer.status))
          throw new Error(`${answer.status} ${answer.text}`);
        return answer?.status === 200 ? answer.headers['etag'] : undefined;
      },
      async etag(site) {
        const request = { headers: { 'x-auth-token': token } };
        const answer = await call(`/config/wknd/sites/${site}/public.json`, request).catch(() => undefined);
        return answer?.status === 200 ? answer.headers['etag'] : undefined;
      },
    };
  }

  async function prepare(): Promise<void> {
    const [, port] = ports;
    const headers = { 'x-auth-token': token };
    for (const [path, body] of [
      ['/config/wknd.json', {}],
      ...sites.map(
        (site) =>
          [
            `/config/wknd/sites/${site}.json?unchecked=true`,
            siteBody('wknd', site, { public: { ...publicPart(site), count: 1 } }),
          ] as const,
      ),
    ] as const) {
      const { status, text } = await ask(`http://127.0.0.1:${port}`, path, { host: SERVICE, method: 'PUT', headers, body });
      if (status !== 201) throw new Error(`${path}: ${status} ${text}`);
    }
  }
}

async function tokenOf(keyFile: string, dataDir: string, databaseUrl: string): Promise<string> {
  const store = await openStore({ dataDir, databaseUrl });
  const keys = await openSigningKeys(keyFile);
  const tokens = createTokens({ keys, issuer: `http://${SERVICE}`, lifetime: 86_400, store, now: () => new Date() });
  const { token } = await tokens.issue({ email: OPERATOR });
  await store.close();
  return token;
}

/** Observations of a site's number, which one writer increases by one with each write. */
interface Seen {
  /** Acknowledged writes with their numbers and times, in order. */
  readonly acknowledged: { readonly value: number; readonly at: number }[];
  /** The last number that each reader got; a reader queries one node sequentially. */
  readonly byReader: Map<string, number>;
  /** Each new highest number seen by anyone, with its time. */
  readonly shown: { readonly value: number; readonly at: number }[];
}

export interface Figures {
  reads: number;
  refused: number;
  writes: number;
  unknown: number;
  /** The longest acknowledged write, in milliseconds. */
  slowest: number;
  /** The longest time, in milliseconds, for which reads that started after an acknowledged write missed it. */
  longest: number;
}

interface History {
  acknowledged(site: string, value: number, took: number): void;
  unknown(): void;
  refused(): void;
  /** Records that a read started at `invoked` got this number. Throws if that violates the rules. */
  read(reader: string, site: string, invoked: number, value: number): void;
  /** The figures since the last call. */
  figures(): Figures;
}

/**
 * Checks a history as it is recorded: no node answers an older number than in an earlier read, and no read misses a write acknowledged,
 * or a number seen, more than `bound` milliseconds earlier.
 */
export function createHistory(bound: number, now: () => number): History {
  const sites = new Map<string, Seen>();
  let figures = none();
  const seenOf = (site: string): Seen => {
    const seen = sites.get(site) ?? { acknowledged: [], byReader: new Map(), shown: [] };
    sites.set(site, seen);
    return seen;
  };

  return {
    acknowledged(site, value, took) {
      figures.writes += 1;
      figures.slowest = Math.max(figures.slowest, took);
      seenOf(site).acknowledged.push({ value, at: now() });
    },
    unknown: () => void (figures.unknown += 1),
    refused: () => void (figures.refused += 1),
    read(reader, site, invoked, value) {
      figures.reads += 1;
      const { acknowledged, shown, byReader } = seenOf(site);
      const missed = acknowledged.findLast((write) => write.at < invoked);
      if (missed !== undefined && missed.value > value) {
        const first = acknowledged.find((write) => write.value > value) ?? missed;
        const stale = invoked - first.at;
        figures.longest = Math.max(figures.longest, stale);
        if (stale > bound)
          throw new Error(`${reader} got ${value} of ${site}, ${Math.round(stale)} ms after ${first.value} was acknowledged.`);
      }
      const before = shown.findLast((one) => one.at < invoked - bound);
      if (before !== undefined && before.value > value)
        throw new Error(`${reader} got ${value} of ${site}, but ${before.value} was seen ${Math.round(invoked - before.at)} ms before.`);
      const own = byReader.get(reader);
      if (own !== undefined && own > value) throw new Error(`${reader} got ${value} of ${site} after ${own}.`);
      byReader.set(reader, value);
      if (value > (shown.at(-1)?.value ?? 0)) shown.push({ value, at: now() });
    },
    figures() {
      const past = figures;
      figures = none();
      return past;
    },
  };
}

function none(): Figures {
  return { reads: 0, refused: 0, writes: 0, unknown: 0, slowest: 0, longest: 0 };
}
