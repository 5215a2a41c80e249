import { z } from 'zod';
import type { SealedValue } from '@repoless/contract/secret.ts';
import { VERSION } from '@repoless/contract/version.ts';
import { SAMPLERS } from './tracing/tracing.ts';
import type { TracingOptions } from './tracing/tracing.ts';
import { text } from './setting-forms.ts';

const collector = z
  .url({ protocol: /^https?$/, error: 'Write an http(s) address.' })
  .refine((value) => URL.canParse(value) && new URL(value).username === '', 'Write the address without a user name or password.');

/** `name=value,name=value`, percent-encoded, as OpenTelemetry has lists. Undefined where it is none. */
function pairsOf(value: string): Record<string, string> | undefined {
  const pairs = value
    .split(',')
    .map((pair) => pair.trim())
    .filter((pair) => pair !== '');
  const read = pairs.map((pair) => /^([^=\s]+)\s*=\s*(.*)$/.exec(pair)?.slice(1));
  try {
    return Object.fromEntries(read.map(([name = '', text = ''] = []) => [decodeURIComponent(name), decodeURIComponent(text)]));
  } catch {
    return undefined;
  }
}

const pairs = z
  .string()
  .refine((value) => Object.keys(pairsOf(value) ?? { '': '' }).every((name) => /^[\w.-]+$/.test(name)), 'Write name=value,name=value.');

/** Where and how traces are sent, by the standard variables of OpenTelemetry. Both programs have them. */
export function tracingForms(service: string) {
  return {
    OTEL_SDK_DISABLED: z.enum(['true', 'false'], 'Write "true" or "false".').default('false'),
    OTEL_TRACES_EXPORTER: z.enum(['otlp', 'none'], 'Write "otlp" or "none".').default('otlp'),
    OTEL_EXPORTER_OTLP_ENDPOINT: collector.optional(),
    OTEL_EXPORTER_OTLP_TRACES_ENDPOINT: collector.optional(),
    OTEL_EXPORTER_OTLP_PROTOCOL: z
      .enum(['http/protobuf', 'http/json'], 'Write "http/protobuf" or "http/json": gRPC is not supported.')
      .default('http/protobuf'),
    OTEL_EXPORTER_OTLP_HEADERS: pairs.optional(),
    OTEL_EXPORTER_OTLP_TIMEOUT: z.coerce.number('Write a number of milliseconds.').int('Write whole milliseconds.').min(1).default(10_000),
    OTEL_BSP_SCHEDULE_DELAY: z.coerce.number('Write a number of milliseconds.').int('Write whole milliseconds.').min(1).default(5000),
    OTEL_SERVICE_NAME: text.default(service),
    OTEL_RESOURCE_ATTRIBUTES: pairs.optional(),
    OTEL_TRACES_SAMPLER: z.enum(SAMPLERS, `Write one of ${SAMPLERS.join(', ')}.`).default('parentbased_always_on'),
    OTEL_TRACES_SAMPLER_ARG: z.coerce
      .number('Write a number from 0 to 1.')
      .min(0, 'Write a number from 0 to 1.')
      .max(1, 'Write a number from 0 to 1.')
      .default(1),
  };
}

type Forms = ReturnType<typeof tracingForms>;
export type TracingSettings = Omit<z.output<z.ZodObject<Forms>>, 'OTEL_EXPORTER_OTLP_HEADERS'> & {
  readonly OTEL_EXPORTER_OTLP_HEADERS: SealedValue | undefined;
};

/** Undefined where no traces are wanted. */
export function tracingOptions(settings: TracingSettings): Omit<TracingOptions, 'failed'> | undefined {
  const { OTEL_EXPORTER_OTLP_ENDPOINT: base, OTEL_EXPORTER_OTLP_TRACES_ENDPOINT: traces } = settings;
  const url = traces ?? (base && `${base.replace(/\/+$/, '')}/v1/traces`);
  if (url === undefined || settings.OTEL_SDK_DISABLED === 'true' || settings.OTEL_TRACES_EXPORTER === 'none') return undefined;
  return {
    service: { name: settings.OTEL_SERVICE_NAME, version: VERSION },
    attributes: pairsOf(settings.OTEL_RESOURCE_ATTRIBUTES ?? '') ?? {},
    url,
    protocol: settings.OTEL_EXPORTER_OTLP_PROTOCOL,
    headers: settings.OTEL_EXPORTER_OTLP_HEADERS?.use(pairsOf) ?? {},
    timeout: settings.OTEL_EXPORTER_OTLP_TIMEOUT,
    delay: settings.OTEL_BSP_SCHEDULE_DELAY,
    sampler: settings.OTEL_TRACES_SAMPLER,
    ratio: settings.OTEL_TRACES_SAMPLER_ARG,
  };
}
