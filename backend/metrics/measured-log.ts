import type { Metrics, MeasuredRequest } from './metrics.ts';

/** The same log, which counts every request that it has a line of, whether the line is written or not. */
export function measuredLog<L extends { request(line: MeasuredRequest): void }>(log: L, metrics: Metrics): L {
  return {
    ...log,
    request(line: MeasuredRequest) {
      metrics.request(line);
      log.request(line);
    },
  };
}
