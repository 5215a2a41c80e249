import pino, { type DestinationStream } from 'pino';
import type { RequestLog } from './http/request-log.ts';
import type { TraceIds } from './tracing/tracing.ts';

export interface Log extends RequestLog {
  /** `ids`: the span that the line belongs to. */
  info(message: string, ids?: TraceIds): void;
  error(message: string, ids?: TraceIds): void;
  failure(requestId: string, error: unknown, ids?: TraceIds): void;
}

/**
 * One JSON line for each event, on standard output, with the name of its process if a program has several. Nothing that is logged should
 * contain a secret in the first place; what does by accident is sealed by its name, or because it looks like a token.
 */
export function createLog(level: string, destination?: DestinationStream, process?: string): Log {
  const options = { level, base: process === undefined ? null : { process }, timestamp: pino.stdTimeFunctions.isoTime };
  const sealed = { ...options, redact: { paths: SEALED, censor: '[sealed]' } };
  const stream = destination ?? pino.destination(1);
  const logger = pino(sealed, stream);
  // A request's line has only the fields of its type, and searching for others costs more than the rest of the line.
  const lines = pino(options, stream);
  return {
    info: (message, ids) => logger.info({ ...ids }, message),
    error: (message, ids) => logger.error({ ...ids }, sealTokens(message)),
    request({ requestId, trace_id, span_id, route, method, host, path: rawPath, address, user, status, code, event, ...rest }) {
      const { milliseconds, reason, unlogged } = rest;
      const path = sealTokens(rawPath);
      const caller = { requestId, trace_id, span_id, route, method, host, path, address, user };
      lines.info({ ...caller, status, code, event, milliseconds, reason, unlogged }, 'request');
    },
    failure: (requestId, error, ids) => logger.error({ requestId, ...ids, ...describe(error) }, 'failure'),
  };
}

const NAMES = [
  'authorization',
  'cookie',
  '["set-cookie"]',
  '["x-auth-token"]',
  '["x-content-source-authorization"]',
  'token',
  'secret',
  'value',
];
const SEALED = NAMES.flatMap((name) => (name.startsWith('[') ? [name, `*${name}`, `*.*${name}`] : [name, `*.${name}`, `*.*.${name}`]));
/** Reads every character once: anyone may send a path full of partial matches. */
const TOKEN = /\beyJ[\w-]+(?:\.[\w-]*)*|\b(?:bearer|token)\s+\S+/gi;

function sealTokens(text: string): string {
  return text.replaceAll(TOKEN, '[sealed]');
}

/** Its name, message, code, stack and cause; no other property, because it may contain a request. */
function describe(error: unknown, depth = 0): Record<string, unknown> {
  if (!(error instanceof Error)) return { error: sealTokens(String(error)) };
  return {
    error: `${error.name}: ${sealTokens(error.message)}`,
    ...('code' in error && typeof error.code === 'string' && { code: error.code }),
    ...(error.stack !== undefined && { stack: sealTokens(error.stack) }),
    ...(error.cause !== undefined && depth < 3 && { cause: describe(error.cause, depth + 1) }),
  };
}

export interface RecentFailure {
  readonly time: string;
  readonly requestId: string;
  readonly error: string;
}

/** The same log; the latest failures are also retained for operators, cut to one line each. They are lost when the program ends. */
export function recentFailures<L extends Pick<Log, 'failure'>>(log: L, now: () => Date): { log: L; latest(): RecentFailure[] } {
  const latest: RecentFailure[] = [];
  return {
    log: {
      ...log,
      failure(requestId: string, error: unknown) {
        const message = error instanceof Error ? `${error.name}: ${error.message}` : String(error);
        latest.unshift({
          time: now().toISOString(),
          requestId: requestId.slice(0, SHOWN_CHARACTERS),
          error: sealTokens(message).slice(0, SHOWN_CHARACTERS),
        });
        latest.length = Math.min(latest.length, RETAINED);
        log.failure(requestId, error);
      },
    },
    latest: () => [...latest],
  };
}

const RETAINED = 50;
const SHOWN_CHARACTERS = 300;
