import { ExportResultCode } from '@opentelemetry/core';
import { OTLPTraceExporter as JsonExporter } from '@opentelemetry/exporter-trace-otlp-http';
import { OTLPTraceExporter as ProtobufExporter } from '@opentelemetry/exporter-trace-otlp-proto';
import type { SpanExporter } from '@opentelemetry/sdk-trace';
import type { TracingOptions } from './start-tracing.ts';

/** Posts traces to a collector. A collector that is away or refuses them is told of once, until it takes some again. */
export function sendingExporter({ protocol, url, headers, timeout, failed }: TracingOptions): SpanExporter {
  const Exporter = protocol === 'http/json' ? JsonExporter : ProtobufExporter;
  const exporter = new Exporter({ url, headers: { ...headers }, timeoutMillis: timeout });
  let isFailing = false;
  return {
    export(spans, ended) {
      exporter.export(spans, (result) => {
        const fails = result.code !== ExportResultCode.SUCCESS;
        if (fails && !isFailing) failed(new TracesNotSent(result.error));
        isFailing = fails;
        ended(result);
      });
    },
    forceFlush: () => exporter.forceFlush(),
    shutdown: () => exporter.shutdown(),
  };
}

/** Without the library's error, which holds what the collector answered. */
class TracesNotSent extends Error {
  override readonly name = 'TracesNotSent';

  constructor(error: Error | undefined) {
    const code = error !== undefined && 'code' in error ? ` (${String(error.code)})` : '';
    super(`The trace collector does not accept traces${code}. They are dropped until it does.`);
  }
}
