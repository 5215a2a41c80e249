import { type Ask, askOrFail, createFetchHosted } from '../ask.ts';
import { listSites, type StartedBackend, startStored } from '../backend/start-backend.ts';
import { type Figure, measured, missing } from '../figures.ts';
import type { Call } from '../load/load.ts';
import { alternate, resetPeak, resident } from '../measure.ts';
import type { Scenario } from '../options.ts';

const SITES = 10_000;
const PAGE = 1000;

interface Walk {
  readonly sitesPerSecond: number;
  readonly bytes: number;
  /** The rise of resident memory, in bytes. */
  readonly growth: number | undefined;
}

/** Listing all sites of an organization, page by page as a client does. */
export const list: Scenario = async (bench) => {
  const { backend, token } = await startStored(bench, SITES);
  const ask = createFetchHosted();
  const contestants = [
    { name: 'names', run: () => walk(ask, backend, listSites(token, `limit=${PAGE}`)) },
    { name: 'details', run: () => walk(ask, backend, listSites(token, `limit=${PAGE}&details=true`)) },
  ];
  const results = await alternate(contestants, bench.options.runs, bench.showProgress);
  return {
    scenario: `GET sites.json, ${SITES} sites in pages of ${PAGE}`,
    figures: contestants.flatMap(({ name }) => figuresOf(name, results(name))),
  };
};

function figuresOf(name: string, walks: readonly Walk[]): Figure[] {
  const shares = walks.flatMap(({ growth, bytes }) => (growth === undefined ? [] : [growth / bytes]));
  return [
    measured({ name, unit: 'sites/s', samples: walks.map((one) => one.sitesPerSecond), target: { atLeast: 20_000 } }),
    measured({ name: `${name}, answer`, unit: 'kB', samples: walks.map((one) => one.bytes / 1000) }),
    shares.length === 0
      ? missing(`${name}, memory growth`, '× answer', 'this system does not report the memory of a process')
      : measured({ name: `${name}, memory growth`, unit: '× answer', samples: shares, target: { atMost: 1 } }),
  ];
}

async function walk(ask: Ask, backend: StartedBackend, first: Call): Promise<Walk> {
  await resetPeak(backend.pid);
  const before = await resident(backend.pid);
  const start = performance.now();
  let [sites, bytes] = [0, 0];
  for (let call: Call | undefined = first; call !== undefined;) {
    const answer = await askOrFail(ask, backend.port, call);
    bytes += answer.body.length;
    sites += countSites(answer.body);
    call = nextPage(call, answer.headers['link']);
  }
  const seconds = (performance.now() - start) / 1000;
  if (sites !== SITES) throw new Error(`The list has ${sites} sites, not ${SITES}.`);
  const after = await resident(backend.pid);
  const growth = before === undefined || after === undefined ? undefined : after.highest - before.now;
  return { sitesPerSecond: sites / seconds, bytes, growth };
}

/** Counts without parsing, to keep the client cheap: `path` occurs once in every entry. */
function countSites(body: Buffer): number {
  return body.toString('latin1').split('"path": "').length - 1;
}

function nextPage(call: Call, link: string | string[] | undefined): Call | undefined {
  const target = /<([^>]+)>;\s*rel="?next"?/.exec(String(link ?? ''))?.[1];
  if (target === undefined) return undefined;
  const url = new URL(target, `http://${call.host}${call.path}`);
  return { ...call, path: `${url.pathname}${url.search}` };
}
