import { rm, writeFile } from 'node:fs/promises';
import { join } from 'node:path';
import { fileURLToPath } from 'node:url';
import { z } from 'zod';
import { installed } from '../environment.ts';
import { outputOf } from '../until-ready.ts';
import type { Workspace } from '../workspace.ts';

/** One request of a load. `COUNTER` in its path or body becomes a new number of twelve digits each time it is sent. */
export interface Call {
  readonly method: 'GET' | 'POST' | 'PUT';
  readonly host: string;
  readonly path: string;
  readonly headers?: Readonly<Record<string, string>>;
  readonly body?: string;
}

/** As long as the number that replaces it, so that the content length is constant; valid within JSON and base64-sized. */
export const COUNTER = '@@@@@@@@@@@@';

export function printCounter(count: number): string {
  return String(count).padStart(COUNTER.length, '0');
}

/** The request as it goes over the wire (HTTP/1.1). */
function printCall(call: Call): string {
  const headers = Object.entries(call.headers ?? {}).map(([name, value]) => `${name}: ${value}\r\n`);
  const length = call.body === undefined ? '' : `content-length: ${Buffer.byteLength(call.body)}\r\n`;
  return `${call.method} ${call.path} HTTP/1.1\r\nhost: ${call.host}\r\n${headers.join('')}${length}\r\n${call.body ?? ''}`;
}

export interface LoadJob {
  readonly port: number;
  /** Calls to send in turn, each as soon as a connection is free. */
  readonly calls: readonly Call[];
  readonly connections: number;
  readonly seconds: number;
  /** The maximum of calls per second; by default as many as are answered. */
  readonly rate?: number;
}

export interface LoadResult {
  readonly perSecond: number;
  /** Milliseconds. */
  readonly p50: number;
  readonly p99: number;
  readonly requests: number;
}

export interface Load {
  /** Rejects where any answer is an error: figures of failures would mislead. */
  run(job: LoadJob): Promise<LoadResult>;
  /**
   * The same for latencies, without the first answer of each connection. Node accepts one connection per turn of the event loop, so the
   * last of many opened at once waits for as many turns, which wrk counts as latency of its first request.
   */
  latency(job: LoadJob): Promise<LoadResult>;
}

/** A job for a generator process: counters start at `first`, so that no two runs of a benchmark write the same. */
export type NumberedJob = LoadJob & { readonly first: number };
export type Outcome = LoadResult & { readonly failures: number };

const COUNTERS_PER_RUN = 10_000_000;

/** The load generator: wrk if installed (it needs less of the machine), else autocannon; a separate process for each run. */
export async function createLoad(workspace: Workspace): Promise<Load> {
  const wrk = await installed('wrk');
  let runs = 0;
  const measured = async (job: LoadJob, generator: (numbered: NumberedJob) => Promise<Outcome>): Promise<LoadResult> => {
    const { failures, ...result } = await generator({ ...job, first: ++runs * COUNTERS_PER_RUN });
    if (failures > 0) throw new Error(`${failures} of ${result.requests} answers of port ${job.port} were errors: nothing was measured.`);
    return result;
  };
  const autocannon = (job: NumberedJob) => loadWithAutocannon(workspace, job);
  return {
    run: (job) =>
      measured(job, wrk === undefined || job.rate !== undefined ? autocannon : (numbered) => loadWithWrk(workspace, wrk, numbered)),
    latency: (job) => measured(job, autocannon),
  };
}

const WORKER = fileURLToPath(new URL('./autocannon-worker.js', import.meta.url));

async function loadWithAutocannon(workspace: Workspace, job: NumberedJob): Promise<Outcome> {
  const child = workspace.start(process.execPath, [WORKER]);
  const output = outputOf('autocannon', child);
  child.stdin?.end(JSON.stringify(job));
  return parseOutcome(await output);
}

async function loadWithWrk(workspace: Workspace, wrk: string, job: NumberedJob): Promise<Outcome> {
  const directory = await workspace.directory('load');
  const script = join(directory, 'load.lua');
  const requests = join(directory, 'requests');
  await writeFile(script, WRK_SCRIPT);
  await writeFile(
    requests,
    job.calls
      .map(printCall)
      .map((text) => `${Buffer.byteLength(text)}\n${text}`)
      .join(''),
  );
  const args = ['-t1', `-c${job.connections}`, `-d${job.seconds}s`, '--timeout', '30s', '-s', script, `http://127.0.0.1:${job.port}`];
  const output = await outputOf('wrk', workspace.start(wrk, [...args, '--', requests, String(job.first)]));
  await rm(directory, { recursive: true, force: true });
  return parseOutcome(output);
}

/**
 * The script of wrk that sends given requests in turn. Its arguments: a file of requests (each preceded by its length in
 * bytes on a line) and the first counter. Its last line of output is the outcome as JSON.
 */
const WRK_SCRIPT = `
local requests, place, counter = {}, 0, 0

local function split(text, mark)
  local pieces, from = {}, 1
  while true do
    local first, last = string.find(text, mark, from, true)
    if not first then break end
    pieces[#pieces + 1] = string.sub(text, from, first - 1)
    from = last + 1
  end
  pieces[#pieces + 1] = string.sub(text, from)
  return pieces
end

function init(args)
  local file = assert(io.open(args[1], "rb"))
  counter = tonumber(args[2])
  while true do
    local length = file:read("*n")
    if not length then break end
    file:read(1)
    requests[#requests + 1] = split(file:read(length), "${COUNTER}")
  end
  file:close()
end

function request()
  place = place % #requests + 1
  local pieces = requests[place]
  if #pieces == 1 then return pieces[1] end
  counter = counter + 1
  return table.concat(pieces, string.format("%0${COUNTER.length}d", counter))
end

function done(summary, latency)
  local e = summary.errors
  io.write(string.format('{"requests":%d,"perSecond":%.3f,"p50":%.3f,"p99":%.3f,"failures":%d}\\n',
    summary.requests, summary.requests * 1e6 / summary.duration,
    latency:percentile(50) / 1000, latency:percentile(99) / 1000,
    e.connect + e.read + e.write + e.status + e.timeout))
end
`;

const OutcomeLine = z.object({
  requests: z.number(),
  perSecond: z.number(),
  p50: z.number(),
  p99: z.number(),
  failures: z.number(),
}) satisfies z.ZodType<Outcome>;

/** Reads the last line of a load generator's output. */
function parseOutcome(output: string): Outcome {
  return OutcomeLine.parse(JSON.parse(output.trimEnd().split('\n').at(-1) ?? ''));
}
