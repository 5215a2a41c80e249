import pino from 'pino';
import type { DestinationStream } from 'pino';
import type { RequestLog } from '#backend/http/ports.ts';

export interface Log extends RequestLog {
  info(message: string): void;
  error(message: string): void;
}

/**
 * One JSON line for each event, on standard output. Nothing that is logged should hold a secret in the first place; what
 * does by accident is sealed by its name, or by the look of a token.
 */
export function createLog(level: string, destination?: DestinationStream): Log {
  const options = { level, base: null, timestamp: pino.stdTimeFunctions.isoTime };
  const sealed = { ...options, redact: { paths: SEALED, censor: '[sealed]' } };
  const stream = destination ?? pino.destination(1);
  const logger = pino(sealed, stream);
  // A line of a request has no field but those of its type, and looking for others costs more than all else of it.
  const lines = pino(options, stream);
  return {
    info: (message) => logger.info(message),
    error: (message) => logger.error(sealTokens(message)),
    request: ({ requestId, route, method, host, path, address, user, status, code, event, milliseconds, reason, unlogged }) =>
      lines.info(
        { requestId, route, method, host, path: sealTokens(path), address, user, status, code, event, milliseconds, reason, unlogged },
        'request',
      ),
    failure: (requestId, error) => logger.error({ requestId, ...describe(error) }, 'failure'),
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
const TOKEN = /\beyJ[\w-]+\.[\w-]+\.[\w-]*|\b(?:bearer|token)\s+\S+/gi;

/** Seals what looks like a token: a JWT, or what follows `Bearer`. */
export function sealTokens(text: string): string {
  return text.replaceAll(TOKEN, '[sealed]');
}

/** Its name, message, code, stack and cause; no other property, for it may hold a request. */
function describe(error: unknown, depth = 0): Record<string, unknown> {
  if (!(error instanceof Error)) return { error: sealTokens(String(error)) };
  return {
    error: `${error.name}: ${sealTokens(error.message)}`,
    ...('code' in error && typeof error.code === 'string' && { code: error.code }),
    ...(error.stack !== undefined && { stack: sealTokens(error.stack) }),
    ...(error.cause !== undefined && depth < 3 && { cause: describe(error.cause, depth + 1) }),
  };
}
