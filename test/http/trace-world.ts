import { randomBytes } from 'node:crypto';
import { vi } from 'vitest';
import { type Receiver, startReceiver } from '../support/receiver.ts';
import { tokenOf } from '../support/token-of.ts';
import { ask, type TestAnswer, type TestRequest } from '../support/ask.ts';
import { buildBackend, type ChildBackend, startChildBackend, temporaryDirectory } from '../support/child-backend.ts';
import { OPERATOR } from '../support/backend.ts';
import { type CollectedSpan, type Collector, startCollector } from '../support/collector.ts';

/** OpenTelemetry's span kind of a received request. */
export const SERVER = 2;

export interface TraceWorld {
  readonly collector: Collector;
  readonly codeHost: Receiver;
  readonly backend: ChildBackend;
  /** Where the service keeps its data. */
  readonly dataDir: string;
  /** The operator's token. */
  readonly token: string;
  /** Calls the service as the operator. */
  call(method: string, path: string, request?: Omit<TestRequest, 'method'>): Promise<TestAnswer>;
  /** The spans of a trace once `whole` returns true; by default, once the request's span was sent. */
  spansOf(traceId: string, whole?: (spans: readonly CollectedSpan[]) => boolean): Promise<readonly CollectedSpan[]>;
  /** The log line of an answered request. */
  lineOf(requestId: string): Promise<Record<string, unknown>>;
  stop(): Promise<void>;
}

/** Starts the service as a program that sends its traces to a collector, with a code host that has every repository. */
export async function startTraceWorld(settings: Readonly<Record<string, string>> = {}): Promise<TraceWorld> {
  await buildBackend();
  const data = await temporaryDirectory();
  const collector = await startCollector();
  const codeHost = await startReceiver((_, response) => void response.writeHead(200, { 'content-type': 'application/json' }).end('{}'));
  const backend = await startChildBackend(data.path, {
    OPERATORS: OPERATOR,
    CODE_HOST: codeHost.address,
    CODE_HOST_API: codeHost.address,
    CODE_HOST_RAW: codeHost.address,
    INTERNAL_ADDRESSES: 'allow',
    OTEL_EXPORTER_OTLP_ENDPOINT: collector.address,
    OTEL_EXPORTER_OTLP_PROTOCOL: 'http/json',
    OTEL_BSP_SCHEDULE_DELAY: '20',
    ...settings,
  });
  const token = await tokenOf(data.path, backend.address);
  return {
    collector,
    codeHost,
    backend,
    dataDir: data.path,
    token,
    call: (method, path, request = {}) =>
      ask(backend.address, path, { ...request, method, headers: { 'x-auth-token': token, ...request.headers } }),
    spansOf: (traceId, whole = (spans) => spans.some(({ kind }) => kind === SERVER)) =>
      vi.waitUntil(() => {
        const found = collector.spans.filter((span) => span.traceId === traceId);
        return whole(found) && found;
      }, TIMEOUT),
    lineOf: (requestId) =>
      vi.waitUntil(() => logLines(backend).find((line) => line['requestId'] === requestId && line['msg'] === 'request'), TIMEOUT),
    async stop() {
      backend.child.kill('SIGKILL');
      await backend.ended;
      await collector.stop();
      await codeHost.stop();
      await data.remove();
    },
  };
}

export function logLines({ output }: ChildBackend): Record<string, unknown>[] {
  return output()
    .split('\n')
    .filter((line) => line.startsWith('{') && line.endsWith('}'))
    .map((line): Record<string, unknown> => JSON.parse(line));
}

/** The trace context of a caller. */
export function traceParent(): { traceId: string; spanId: string; header: string } {
  const [traceId, spanId] = [randomBytes(16).toString('hex'), randomBytes(8).toString('hex')];
  return { traceId, spanId, header: `00-${traceId}-${spanId}-01` };
}

const TIMEOUT = { timeout: 30_000, interval: 20 };
