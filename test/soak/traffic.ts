import { setTimeout as pause } from 'node:timers/promises';
import { createFetchHosted } from '../bench/ask.ts';
import { getConfig, getSite, listSites, ORG, PREVIEW_DOMAIN, PUBLIC_ADDRESS, siteName } from '../bench/backend/start-backend.ts';
import type { Call } from '../bench/load/load.ts';
import { soakSite, type SoakWorld } from './soak-world.ts';

export interface TrafficFigures {
  readonly answered: number;
  /** Calls answered 503: the service was overloaded. */
  readonly refused: number;
  /** Calls not sent, because too many were in progress. */
  readonly left: number;
  /** Failures by kind; none is acceptable. */
  readonly failures: Readonly<Record<string, number>>;
}

export interface Traffic {
  /** Sends one call after the other on this many connections. Returns answers per second. */
  calibrate(seconds: number): Promise<number>;
  /** Sends this many calls a second, whether or not others were answered, until the signal. */
  keep(perSecond: number, signal: AbortSignal): Promise<void>;
  figures(): TrafficFigures;
}

const CONNECTIONS = 32;
const MAX_OPEN = 400;
/** Milliseconds between two counts of due calls. */
const TICK = 10;

export function createTraffic(world: SoakWorld, next: (count: number) => Mixed): Traffic {
  const ask = createFetchHosted();
  const failures = new Map<string, number>();
  let [sent, answered, refused, left, open] = [0, 0, 0, 0, 0];

  async function send(): Promise<void> {
    sent += 1;
    const { name, program, call } = next(sent);
    open += 1;
    const outcome = await ask(world[program], call).then(
      ({ status }) => status,
      (error: unknown) => String(Object(error).code ?? error),
    );
    open -= 1;
    // Build management answers 502 if the service, which it queries, refuses.
    const isRefused = outcome === 503 || (outcome === 502 && program === 'buildManagement');
    if (isRefused) refused += 1;
    else if (typeof outcome === 'number' && outcome < 400) answered += 1;
    else failures.set(`${name}: ${outcome}`, (failures.get(`${name}: ${outcome}`) ?? 0) + 1);
  }

  return {
    async calibrate(seconds) {
      const [begin, before] = [performance.now(), answered];
      const worker = async () => {
        while (performance.now() - begin < seconds * 1000) await send();
      };
      await Promise.all(Array.from({ length: CONNECTIONS }, worker));
      return (answered - before) / ((performance.now() - begin) / 1000);
    },
    async keep(perSecond, signal) {
      const sending = new Set<Promise<void>>();
      let due = 0;
      for (let last = performance.now(); !signal.aborted;) {
        await pause(TICK);
        const current = performance.now();
        due += ((current - last) / 1000) * perSecond;
        last = current;
        for (; due >= 1; due -= 1) {
          if (open >= MAX_OPEN) {
            left += 1;
            continue;
          }
          const one = send();
          sending.add(one);
          void one.finally(() => sending.delete(one));
        }
      }
      await Promise.all(sending);
    },
    figures: () => ({ answered, refused, left, failures: Object.fromEntries(failures) }),
  };
}

/** A kind of call: its share in a thousand, and its program. */
interface Kind {
  readonly name: string;
  readonly of1000: number;
  readonly program: 'service' | 'buildManagement';
  call(count: number): Call;
}

interface Mixed {
  readonly name: string;
  readonly program: Kind['program'];
  readonly call: Call;
}

/**
 * Calls as in production: mostly config.json of many hosts, some files, some work of administrators. `count` is the number of previous
 * calls.
 */
export function createMix(world: SoakWorld, sites: number): (count: number) => Mixed {
  const admin = new URL(PUBLIC_ADDRESS).host;
  const headers = { 'x-auth-token': world.token };
  // Not in order, so that neighbours in the database are not called in succession.
  const site = (count: number) => siteName((count * 7919) % sites);
  const ask = (path: string, host = admin): Call => ({ method: 'GET', host, path, headers });
  const kinds: readonly Kind[] = [
    { name: 'config.json', of1000: 700, program: 'service', call: (count) => getConfig(site(count)) },
    { name: 'file of the code', of1000: 100, program: 'service', call: (count) => fileOf(site(count)) },
    { name: 'GET of a site', of1000: 80, program: 'service', call: (count) => getSite(site(count), world.token) },
    { name: 'PUT of a site', of1000: 60, program: 'service', call: (count) => put(world, site(count), count) },
    { name: 'job of a site', of1000: 20, program: 'service', call: (count) => ask(`/job/${ORG}/${site(count)}/main/code`) },
    { name: 'page of the list', of1000: 10, program: 'service', call: () => listSites(world.token, 'limit=100') },
    {
      name: 'history of a site',
      of1000: 10,
      program: 'service',
      call: (count) => ask(`/config/${ORG}/sites/${site(count)}/versions.json`),
    },
    { name: 'events', of1000: 5, program: 'service', call: () => ask(`/config/${ORG}/events.json`) },
    { name: 'checks', of1000: 5, program: 'service', call: () => ask(`/config/${ORG}/checks.json`) },
    {
      name: 'repositories of build management',
      of1000: 10,
      program: 'buildManagement',
      call: () => ask(`/organizations/${ORG}/repositories`, `127.0.0.1:${world.buildManagement}`),
    },
  ];
  const places = kinds.flatMap((kind) => Array.from({ length: kind.of1000 }, () => kind));
  return (count) => {
    const kind = places[(count * 617) % places.length];
    if (kind === undefined) throw new Error('The mix is empty.');
    return { name: kind.name, program: kind.program, call: kind.call(count) };
  };
}

function fileOf(site: string): Call {
  return { method: 'GET', host: `main--${site}--${ORG}.${PREVIEW_DOMAIN}`, path: '/blocks/file-7.bin' };
}

/** Each write changes the delivered configuration. */
function put({ token, codeHost }: SoakWorld, site: string, count: number): Call {
  return {
    method: 'PUT',
    host: new URL(PUBLIC_ADDRESS).host,
    path: `/config/${ORG}/sites/${site}.json?unchecked=true`,
    headers: { 'content-type': 'application/json', 'x-auth-token': token },
    body: JSON.stringify(soakSite(codeHost, site, `soak ${count}`)),
  };
}
