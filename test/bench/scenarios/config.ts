import { askOrFail, createFetchHosted } from '../ask.ts';
import { getConfig, mixedCalls, siteName, startStored } from '../backend/start-backend.ts';
import { compared, type Figure, type Target } from '../figures.ts';
import type { Call, LoadResult } from '../load/load.ts';
import { alternate, type Contestant } from '../measure.ts';
import type { Bench, Scenario } from '../options.ts';
import { startConstant } from '../peers/constant.ts';

const CONNECTIONS = 64;
const NODE = 'node:http constant';

interface Case {
  readonly name: string;
  readonly target: Target;
  readonly calls: readonly Call[];
}

/** Reading config.json against a bare node:http server that gets the same requests and sends as many bytes. */
export const config: Scenario = async (bench) => {
  const { options, workspace } = bench;
  const { backend, token } = await startStored(bench, options.sites);
  const answer = await askOrFail(createFetchHosted(), backend.port, getConfig(siteName(0)));
  const body = answer.body.toString();
  const constant = await startConstant(workspace, body);
  const cases: readonly Case[] = [
    { name: 'one host', target: { atLeast: 0.85 }, calls: [getConfig(siteName(0))] },
    { name: `hosts of ${options.sites} sites`, target: { atLeast: 0.75 }, calls: sites(options.sites).map((site) => getConfig(site)) },
    {
      name: 'one host, not modified (304)',
      target: { atLeast: 0.85 },
      calls: [getConfig(siteName(0), { 'if-none-match': answer.headers.etag ?? '' })],
    },
    { name: 'with 5 % admin writes', target: { atLeast: 0.7 }, calls: mixedCalls(Math.min(options.sites, 1000), token) },
  ];
  const contestants = cases.flatMap(({ name, calls }) => [
    contestant(bench, `${name}: ours`, backend.port, calls),
    contestant(bench, `${name}: ${NODE}`, constant.port, calls),
  ]);
  const results = await alternate(contestants, options.runs, bench.showProgress);
  return {
    scenario: `GET config.json, ${body.length} bytes, ${CONNECTIONS} connections`,
    figures: cases.flatMap((one) => figuresOf(one, results)),
  };
};

function figuresOf({ name, target }: Case, results: (name: string) => readonly LoadResult[]): Figure[] {
  const [ours, theirs] = [results(`${name}: ours`), results(`${name}: ${NODE}`)];
  return [
    compared(
      { name, unit: 'requests/s', samples: ours.map((result) => result.perSecond), target },
      { name: NODE, samples: theirs.map((result) => result.perSecond) },
    ),
    compared(
      { name: `${name}, p99`, unit: 'ms', samples: ours.map((result) => result.p99), target: { atMost: 2 } },
      { name: NODE, samples: theirs.map((result) => result.p99) },
    ),
  ];
}

function contestant({ load, options }: Bench, name: string, port: number, calls: readonly Call[]): Contestant<LoadResult> {
  return { name, run: () => load.run({ port, calls, connections: CONNECTIONS, seconds: options.seconds }) };
}

function sites(count: number): string[] {
  return Array.from({ length: count }, (_, index) => siteName(index));
}
