import { AlwaysOffSampler, AlwaysOnSampler, ParentBasedSampler, TraceIdRatioBasedSampler } from '@opentelemetry/sdk-trace';
import type { Sampler } from '@opentelemetry/sdk-trace';
import type { TracingOptions } from './start-tracing.ts';

/**
 * Which traces are kept. A flag that comes from outside can say no, never yes: a trace that somebody else records is kept
 * by the same rule as one that begins here, so that no caller decides how much this program records.
 */
export function samplerOf({ sampler, ratio }: Pick<TracingOptions, 'sampler' | 'ratio'>): Sampler {
  switch (sampler) {
    case 'always_on':
      return new AlwaysOnSampler();
    case 'always_off':
      return new AlwaysOffSampler();
    case 'traceidratio':
      return new TraceIdRatioBasedSampler(ratio);
    case 'parentbased_always_on':
      return parentBased(new AlwaysOnSampler());
    case 'parentbased_always_off':
      return parentBased(new AlwaysOffSampler());
    case 'parentbased_traceidratio':
      return parentBased(new TraceIdRatioBasedSampler(ratio));
    default:
      return sampler satisfies never;
  }
}

function parentBased(root: Sampler): Sampler {
  return new ParentBasedSampler({ root, remoteParentSampled: root });
}
