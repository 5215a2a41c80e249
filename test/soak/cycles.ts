import { createHmac } from 'node:crypto';
import { createServer } from 'node:http';
import type { AddressInfo } from 'node:net';
import { setTimeout as pause } from 'node:timers/promises';
import { JobStatus } from '@repoless/contract/job.ts';
import { createAsk } from '../bench/ask.ts';
import { PREVIEW_DOMAIN, PUBLIC_ADDRESS } from '../bench/backend/place.ts';
import { ORG, siteName } from '../bench/backend/site-input.ts';
import type { Call } from '../bench/load/call.ts';
import type { External } from './external-repository.ts';
import { WEBHOOK_SECRET } from './soak-world.ts';
import type { SoakWorld } from './soak-world.ts';
import { untilSo } from '../bench/until-so.ts';

export interface CycleFigures {
  /** Pushes to the code host that were synchronised and served. */
  readonly pushes: number;
  /** Pushes to the git vendor that came to the service through build management. */
  readonly external: number;
  /** Syncs that failed and were mended: two events each. */
  readonly mended: number;
  /** Messages of events that the subscribed webhook received. */
  readonly messages: number;
}

export interface Cycles {
  /** The first push, after which every host serves the code. */
  first(): Promise<void>;
  /** Runs until the signal comes, and waits for the messages of what it caused. */
  run(signal: AbortSignal): Promise<void>;
  figures(): CycleFigures;
  stop(): Promise<void>;
}

const PUSH_EVERY = 5000;
const VENDOR_EVERY = 10_000;

/** Work that comes by itself beside the calls: pushes, code syncs, events and their deliveries to a webhook, all read where a visitor sees them. */
export async function startCycles(world: SoakWorld, external: External): Promise<Cycles> {
  const ask = createAsk();
  const figures = { pushes: 0, external: 0, mended: 0, messages: 0 };
  let pushed = 0;
  const receiver = createServer((request, response) => {
    request.resume();
    request.once('end', () => {
      figures.messages += 1;
      response.writeHead(204).end();
    });
  });
  await new Promise<void>((resolve) => receiver.listen(0, '127.0.0.1', resolve));

  /** Sends a call, again where the service says that it has too much to do, as clients do. */
  async function send(method: Call['method'], path: string, body?: string, headers: Readonly<Record<string, string>> = {}): Promise<void> {
    const json = body !== undefined && { 'content-type': 'application/json' };
    const call: Call = {
      method,
      host: new URL(PUBLIC_ADDRESS).host,
      path,
      headers: { 'x-auth-token': world.token, ...json, ...headers },
      ...(body !== undefined && { body }),
    };
    await untilSo(`${method} ${path} is answered`, async () => {
      const { status, body: said } = await ask(world.service, call);
      if (status >= 400 && status !== 503)
        throw new Error(`${method} ${path} was answered with ${status}: ${said.toString().slice(0, 500)}`);
      return status < 400;
    });
  }
  const url = `http://127.0.0.1:${(receiver.address() as AddressInfo).port}/hook`;
  await send('POST', `/config/${ORG}/subscriptions.json`, JSON.stringify({ channel: { type: 'webhook', url } }));

  /** As the code host tells of a push. */
  function tell(branch: string) {
    pushed += 1;
    const push = { ref: `refs/heads/${branch}`, repository: { name: 'boilerplate', owner: { login: ORG } }, pushed };
    const body = JSON.stringify(push);
    const signature = `sha256=${createHmac('sha256', WEBHOOK_SECRET).update(body).digest('hex')}`;
    return send('POST', '/webhook/github', body, { 'x-github-event': 'push', 'x-hub-signature-256': signature });
  }
  const served = (site: string, path: string, text: string) =>
    untilSo(`${site} serves what was pushed`, async () => {
      const host = `main--${site}--${ORG}.${PREVIEW_DOMAIN}`;
      return (await ask(world.service, { method: 'GET', host, path })).body.toString() === text;
    });
  const ended = (branch: string, failed: boolean) =>
    untilSo(`the sync of ${branch} ${failed ? 'fails' : 'is done'}`, async () => {
      const answer = await ask(world.service, {
        method: 'GET',
        host: new URL(PUBLIC_ADDRESS).host,
        path: `/job/${ORG}/${siteName(0)}/${branch}/code`,
        headers: { 'x-auth-token': world.token },
      });
      if (answer.status !== 200) return false;
      const { state, error } = JobStatus.parse(JSON.parse(answer.body.toString()));
      return state === 'stopped' && (error !== undefined) === failed;
    });

  async function push(): Promise<void> {
    const { path, text } = await world.repository.push();
    if (figures.pushes % 2 === 0) await tell('main');
    else await send('POST', `/code/${ORG}/${siteName(0)}/main/*`);
    for (const site of [siteName(0), siteName(1)]) await served(site, path, text);
    figures.pushes += 1;
  }
  async function pushToVendor(): Promise<void> {
    const text = `.changed { order: ${figures.external} }\n`;
    await external.clone.push({ 'styles/changed.css': text });
    await served(external.site, '/styles/changed.css', text);
    figures.external += 1;
  }
  /** A branch whose sync fails, because it is not there, then is done, and goes again. */
  async function mend(): Promise<void> {
    const branch = `branch-${figures.mended}`;
    await tell(branch);
    await ended(branch, true);
    await world.repository.push(branch);
    await tell(branch);
    await ended(branch, false);
    await world.repository.remove(branch);
    await tell(branch);
    figures.mended += 1;
  }
  async function again(work: () => Promise<void>, every: number, signal: AbortSignal): Promise<void> {
    while (!signal.aborted) {
      const begin = performance.now();
      await work();
      await pause(Math.max(0, every - (performance.now() - begin)), undefined, { signal }).catch(() => undefined);
    }
  }

  return {
    figures: () => figures,
    first: push,
    async run(signal) {
      // One clone is pushed from by one at a time.
      const work = [push, mend];
      const inTurn = () => (work[turn++ % work.length] ?? push)();
      let turn = 0;
      await Promise.all([again(inTurn, PUSH_EVERY, signal), again(pushToVendor, VENDOR_EVERY, signal)]);
      await untilSo('every message came', async () => figures.messages >= figures.mended * 2);
    },
    stop() {
      receiver.closeAllConnections();
      return new Promise((resolve) => receiver.close(() => resolve()));
    },
  };
}
