import { getSite, health, putSite, siteName, startStored } from '../backend/start-backend.ts';
import { compared, type Figure, measured, missing } from '../figures.ts';
import type { Call } from '../load/load.ts';
import { alternate, processorCost, untilSteady } from '../measure.ts';
import type { Scenario } from '../options.ts';

interface Kind {
  readonly name: string;
  readonly calls: readonly Call[];
  readonly connections: number;
  /** The target in microseconds, on a machine where `/health` takes `HEALTH_REFERENCE`. */
  readonly most?: number;
}

const SITES = 1000;
const CONNECTIONS = 16;
const WARMING_SECONDS = 2;

/**
 * The processor time of one request, which depends on the machine's speed but hardly on its load. Each kind of request is warmed up
 * separately until its cost is steady.
 */
export const cost: Scenario = async (bench) => {
  const { options, load, showProgress } = bench;
  const { backend, token } = await startStored(bench, SITES);
  const each = (call: (site: string) => Call) => Array.from({ length: SITES }, (_, index) => call(siteName(index)));
  const kinds: readonly Kind[] = [
    { name: HEALTH, calls: [health()], connections: CONNECTIONS },
    { name: 'GET of a site', calls: each((site) => getSite(site, token)), connections: CONNECTIONS, most: 180 },
    { name: 'PUT, dry run', calls: each((site) => dry(putSite(site, token))), connections: CONNECTIONS },
    { name: 'PUT', calls: each((site) => putSite(site, token)), connections: CONNECTIONS, most: 600 },
    { name: ONE_WRITER, calls: [putSite(siteName(0), token)], connections: 1 },
    { name: ONE_SITE, calls: [putSite(siteName(0), token)], connections: CONNECTIONS },
  ];
  const measure = ({ calls, connections }: Kind, seconds: number) =>
    processorCost(load, [backend.pid], { port: backend.port, calls, connections, seconds });
  const warmed: string[] = [];
  for (const kind of kinds) {
    showProgress(`warming: ${kind.name}`);
    const one = async () => {
      const { each: micros, perSecond } = await measure(kind, WARMING_SECONDS);
      return micros ?? 1e6 / perSecond;
    };
    warmed.push(`${kind.name} ${(await untilSteady(one)) * WARMING_SECONDS} s`);
  }
  const contestants = kinds.map((kind) => ({ name: kind.name, run: () => measure(kind, options.seconds) }));
  const results = await alternate(contestants, options.runs, showProgress);
  await backend.stop();
  const rate = (name: string) => results(name).map(({ perSecond }) => perSecond);
  const samplesOf = (name: string) => results(name).flatMap((one) => (one.each === undefined ? [] : [one.each]));
  const costs = kinds.flatMap(({ name, most }): Figure[] => {
    const subject = { name, unit: 'µs', samples: samplesOf(name) };
    if (subject.samples.length === 0) return [missing(name, 'µs', 'this system does not report the processor time of a process')];
    if (name === HEALTH) return [measured(subject)];
    const target = most === undefined ? {} : { target: { atMost: most / HEALTH_REFERENCE } };
    const figures = [compared({ ...subject, ...target }, { name: HEALTH, samples: samplesOf(HEALTH) })];
    return most === undefined ? figures : [measured({ ...subject, target: { atMost: most } }), ...figures];
  });
  return {
    scenario: `Processor time of a request, warmed until two runs in a row differ by 5 % at most (${warmed.join(', ')})`,
    figures: [
      ...costs,
      compared(
        { name: `${ONE_SITE}, together`, unit: 'PUT/s', samples: rate(ONE_SITE), target: { atLeast: 1 } },
        { name: ONE_WRITER, samples: rate(ONE_WRITER) },
      ),
    ],
  };
};

const HEALTH = '/health';
/** Microseconds of `/health` on the machine for which the targets were set. Other machines differ in speed: the ratio applies to all. */
const HEALTH_REFERENCE = 115;
const ONE_WRITER = 'PUT, one writer';
const ONE_SITE = `PUT, ${CONNECTIONS} writers on one site`;

function dry(call: Call): Call {
  return { ...call, path: `${call.path}&dryRun=true` };
}
