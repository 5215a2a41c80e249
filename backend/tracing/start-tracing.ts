import { NO_TRACING } from './tracing.ts';
import type { Tracing } from './tracing.ts';

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
  /** The address that traces are posted to. */
  readonly url: string;
  readonly protocol: 'http/protobuf' | 'http/json';
  /** Of every post; they may hold a credential. */
  readonly headers: Readonly<Record<string, string>>;
  /** Milliseconds of a post. */
  readonly timeout: number;
  /** Milliseconds that spans are gathered before they are sent. */
  readonly delay: number;
  readonly sampler: (typeof SAMPLERS)[number];
  /** Of the samplers that keep a part of the traces: from 0 to 1. */
  readonly ratio: number;
  /** Told once when traces cannot be sent, and again after they could. */
  failed(error: unknown): void;
}

/** Loads what records and sends traces where that is wanted, and nothing else. */
export async function startTracing(options: TracingOptions | undefined): Promise<Tracing> {
  if (options === undefined) return NO_TRACING;
  const { recordedTracing } = await import('./recorded-tracing.ts');
  return recordedTracing(options);
}
