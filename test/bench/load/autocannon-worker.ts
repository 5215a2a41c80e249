import autocannon from 'autocannon';
import { text } from 'node:stream/consumers';
import { type Call, COUNTER, type NumberedJob, type Outcome, printCounter } from './load.ts';

process.stdout.write(`${JSON.stringify(await run(readJob(await text(process.stdin))))}\n`);

async function run(job: NumberedJob): Promise<Outcome> {
  let counter = job.first;
  let connection = 0;
  const nextCounter = () => printCounter(++counter);
  const latencies: number[] = [];
  const result = await autocannon({
    url: `http://127.0.0.1:${job.port}`,
    connections: job.connections,
    duration: job.seconds,
    ...(job.rate !== undefined && { overallRate: job.rate }),
    timeout: 30,
    setupClient: (client) => {
      client.setRequests(shareOf(job.calls, connection++, job.connections).map((call) => requestOf(call, nextCounter)));
      let isAccepted = false;
      client.on('response', (_status, _bytes, milliseconds) => {
        if (isAccepted) latencies.push(milliseconds);
        isAccepted = true;
      });
    },
  });
  latencies.sort((one, other) => one - other);
  return {
    requests: result.requests.total,
    perSecond: result.requests.total / result.duration,
    p50: quantile(latencies, 0.5),
    p99: quantile(latencies, 0.99),
    failures: result.errors + result.timeouts + result['4xx'] + result['5xx'],
  };
}

function quantile(sorted: readonly number[], share: number): number {
  return sorted[Math.min(sorted.length - 1, Math.floor(sorted.length * share))] ?? 0;
}

/** The calls that one connection sends; all of them if there are fewer calls than connections. */
function shareOf(calls: readonly Call[], connection: number, connections: number): readonly Call[] {
  return calls.length < connections ? calls : calls.filter((_, index) => index % connections === connection);
}

function requestOf(call: Call, nextCounter: () => string): autocannon.Request {
  const { method, path, host, headers, body } = call;
  const fixed = { method, path, headers: { ...headers, host }, ...(body === undefined ? {} : { body }) };
  if (!`${path}${body ?? ''}`.includes(COUNTER)) return fixed;
  return {
    ...fixed,
    setupRequest: (request) => {
      const count = nextCounter();
      return {
        ...request,
        path: path.replaceAll(COUNTER, count),
        ...(body === undefined ? {} : { body: body.replaceAll(COUNTER, count) }),
      };
    },
  };
}

/** Not validated: the job comes from the parent, which is our own program. */
function readJob(input: string): NumberedJob {
  return JSON.parse(input) as NumberedJob;
}
