import { startTracing, NO_TRACING } from './tracing/tracing.ts';
import type { Tracing } from './tracing/tracing.ts';
import type { Log } from './log.ts';
import { tracingOptions } from './tracing-settings.ts';
import type { TracingSettings } from './tracing-settings.ts';

export interface Traced {
  readonly tracing: Tracing;
  /** The log of the program; where traces are wanted, its lines name the span that they belong to. */
  readonly log: Log;
}

/** Begins to trace a program, where the settings say where traces are sent. */
export async function traceProgram(settings: TracingSettings, log: Log): Promise<Traced> {
  const options = tracingOptions(settings);
  const tracing = await startTracing(options && { ...options, failed: (error) => log.failure('traces', error) });
  return { tracing, log: tracing === NO_TRACING ? log : tracedLog(log, tracing) };
}

function tracedLog(log: Log, tracing: Tracing): Log {
  const ids = () => {
    const now = tracing.now();
    return now && { trace_id: now.trace_id, span_id: now.span_id };
  };
  return {
    info: (message) => log.info(message, ids()),
    error: (message) => log.error(message, ids()),
    failure: (requestId, error) => log.failure(requestId, error, ids()),
    // They name their spans already: they are written when these have ended.
    request: log.request,
  };
}
