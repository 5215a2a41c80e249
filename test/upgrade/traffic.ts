import { setTimeout as later } from 'node:timers/promises';
import { createHistory, type Figures } from '../faults/deployment.ts';
import type { TestAnswer } from '../support/ask.ts';
import { publicPart, siteBody } from '../support/backend.ts';
import type { Fleet } from './fleet.ts';

/** Clients that continuously write and read through the load balancer. */
export interface Traffic {
  /** The figures since the last call. */
  figures(): Figures & { readonly failures: readonly string[] };
  /** Lets requests in progress finish. */
  end(): Promise<void>;
}

const SITES = ['one', 'two', 'three', 'four'];
/** A number that anyone has seen is visible to everyone within this time, whether or not its write was acknowledged. */
const BOUND = 2000;

/**
 * For each site: a client that writes the next number over the previous etag and verifies it everywhere, one that reads it on the live
 * host, and one that reads it by the call, with its last etag. None retries: any unexpected answer is a failure.
 */
export async function startTraffic(fleet: Fleet): Promise<Traffic> {
  await prepare(fleet);
  const history = createHistory(BOUND, () => performance.now());
  let failures: string[] = [];
  let isRunning = true;
  const clients = SITES.flatMap((site) => [writer(site), visitor(site), reader(site)].map(again));

  async function again(act: () => Promise<void>): Promise<void> {
    while (isRunning) {
      await act().catch((error: unknown) => failures.push(error instanceof Error ? error.message : String(error)));
      await later(PAUSE);
    }
  }

  function writer(site: string): () => Promise<void> {
    let [value, etag]: [number, string | undefined] = [1, undefined];
    return async () => {
      etag ??= required(await fleet.ask(publicOf(site)), 200).headers['etag'];
      const body = { ...publicPart(site), count: value + 1 };
      const started = performance.now();
      const answer = await fleet.ask(publicOf(site), { method: 'POST', headers: { 'if-match': etag ?? '' }, body });
      etag = required(answer, 200).headers['etag'];
      value += 1;
      history.acknowledged(site, value, performance.now() - started);
      // Immediately, and on each node.
      await Promise.all(Array.from({ length: NODES }, visitor(site)));
    };
  }

  function visitor(site: string): () => Promise<void> {
    return async () => {
      const invoked = performance.now();
      const answer = required(await fleet.ask('/config.json', { host: `main--${site}--wknd.live.example.com` }), 200);
      history.read(`${answer.headers['x-node']} as a host`, site, invoked, countOf(answer));
    };
  }

  function reader(site: string): () => Promise<void> {
    let known: { readonly etag: string; readonly value: number } | undefined;
    return async () => {
      const invoked = performance.now();
      const headers: Record<string, string> = known === undefined ? {} : { 'if-none-match': known.etag };
      const answer = await fleet.ask(publicOf(site), { headers });
      if (answer.status !== 304) known = { etag: required(answer, 200).headers['etag'] ?? '', value: countOf(answer) };
      if (known !== undefined) history.read(`${answer.headers['x-node']} by a call`, site, invoked, known.value);
    };
  }

  return {
    figures() {
      const found = { ...history.figures(), failures };
      failures = [];
      return found;
    },
    async end() {
      isRunning = false;
      await Promise.all(clients);
    },
  };
}

async function prepare(fleet: Fleet): Promise<void> {
  required(await fleet.ask('/config/wknd.json', { method: 'PUT', body: {} }), 201);
  for (const site of SITES) {
    const body = siteBody('wknd', site, { public: { ...publicPart(site), count: 1 } });
    required(await fleet.ask(`/config/wknd/sites/${site}.json?unchecked=true`, { method: 'PUT', body }), 201);
  }
}

function required(answer: TestAnswer, status: number): TestAnswer {
  if (answer.status !== status)
    throw new Error(`${answer.status} ${answer.headers['x-error'] ?? answer.text} (node ${answer.headers['x-node']})`);
  return answer;
}

function countOf({ text }: TestAnswer): number {
  return Number(/"count": ?(\d+)/.exec(text)?.[1]);
}

function publicOf(site: string): string {
  return `/config/wknd/sites/${site}/public.json`;
}

const NODES = 3;
/** Milliseconds between two requests of one client. */
const PAUSE = 20;
