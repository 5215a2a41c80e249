/** The attributes of a span: names of OpenTelemetry's semantic conventions, or `repoless.…`. Never a secret, never a tenant's content. */
export type Facts = Readonly<Record<string, string | number>>;

/** The server of an address, without path and query. */
export function serverFacts(address: string): Facts {
  const { hostname, port, protocol } = new URL(address);
  const scheme = protocol.slice(0, -1);
  return { 'url.scheme': scheme, 'server.address': hostname, 'server.port': Number(port || (scheme === 'https' ? 443 : 80)) };
}

/** Identifies a span (W3C Trace Context), under the names used in log lines. */
export interface TraceIds {
  readonly trace_id: string;
  readonly span_id: string;
}

export interface Cause extends TraceIds {
  readonly sampled: boolean;
}

interface Arrival {
  readonly name: string;
  readonly facts: Facts;
  /** When it arrived, by `performance.now()`. */
  readonly began: number;
  /** The raw header. */
  readonly traceparent: string | undefined;
  /** Whether the sender is authenticated: then the trace continues. Others get a new trace with a link to theirs. */
  readonly isKnown: boolean;
}

export interface Part<T> {
  readonly name: string;
  /** `client`: a request to another system. */
  readonly kind: 'client' | 'internal';
  readonly facts: Facts;
  /** Attributes at its end; `error.type` among them makes it a failure. */
  readonly factsOf?: (result: T) => Facts;
  /** The attributes of an error that is an expected answer; undefined for a failure. */
  readonly answered?: (error: unknown) => Facts | undefined;
}

interface RequestTrace {
  readonly ids: TraceIds;
  /** Work of the request: what it starts belongs to its trace. */
  run<T>(work: () => T): T;
  /** `error.type` among the facts makes it a failure. */
  end(facts: Facts): void;
}

/** Spans of a program. Each program has its own; nothing is set for the whole process. */
export interface Tracing {
  /** Starts or continues the trace of a request; undefined if nothing is traced. */
  arrived(arrival: Arrival): RequestTrace | undefined;
  /** A span of the current trace. Only recorded traces have further spans. */
  part<T>(part: Part<T>, work: () => Promise<T>): Promise<T>;
  /** Work outside of a request: a separate trace, with a link to its trigger if known. */
  job<T>(job: { readonly name: string; readonly facts: Facts; readonly cause: Cause | undefined }, work: () => Promise<T>): Promise<T>;
  /** Starts work that outlives the request that triggers it: it belongs to no trace. */
  detached<T>(work: () => T): T;
  /** The current span; undefined if nothing is traced. */
  now(): Cause | undefined;
  /** The header by which another system continues the current trace. */
  traceHeaders(): Readonly<Record<string, string>>;
  /** Sends what has not been sent, within a limited time. */
  close(): Promise<void>;
}

/** If tracing is disabled: only runs the work. */
export const NO_TRACING: Tracing = {
  arrived: () => undefined,
  part: (_, work) => work(),
  job: (_, work) => work(),
  detached: (work) => work(),
  now: () => undefined,
  traceHeaders: () => ({}),
  close: () => Promise.resolve(),
};

export const SAMPLERS = [
  'always_on',
  'always_off',
  'traceidratio',
  'parentbased_always_on',
  'parentbased_always_off',
  'parentbased_traceidratio',
] as const;

export interface TracingOptions {
  readonly service: { readonly name: string; readonly version: string };
  /** Further attributes of the program, such as where it is deployed. */
  readonly attributes: Readonly<Record<string, string>>;
  readonly url: string;
  readonly protocol: 'http/protobuf' | 'http/json';
  /** Of every request; they may contain a credential. */
  readonly headers: Readonly<Record<string, string>>;
  /** Milliseconds of a request. */
  readonly timeout: number;
  /** Milliseconds for which spans are collected before they are sent. */
  readonly delay: number;
  readonly sampler: (typeof SAMPLERS)[number];
  /** For samplers that keep a part of the traces: from 0 to 1. */
  readonly ratio: number;
  /** Called once when traces cannot be sent, and again after they could. */
  failed(error: unknown): void;
}
