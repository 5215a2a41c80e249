import { median } from './measure.ts';

/** A target of the project: a limit of the ratio, or of the value if there is no peer. */
export type Target = { readonly atLeast: number } | { readonly atMost: number };

/** One line of the report: medians of the counted runs, side by side. */
export interface Figure {
  readonly name: string;
  readonly unit: string;
  readonly ours: number;
  readonly against?: { readonly name: string; readonly value: number };
  readonly ratio?: number;
  readonly target?: Target;
  readonly met?: boolean;
  /** The exponent of growth since the previous step: 1 is linear. */
  readonly exponent?: number;
  /** Why there is no figure, or how to read it. */
  readonly note?: string;
  readonly samples: readonly number[];
}

export interface Report {
  readonly scenario: string;
  readonly figures: readonly Figure[];
}

interface Subject {
  readonly name: string;
  readonly unit: string;
  readonly samples: readonly number[];
  readonly target?: Target;
  readonly note?: string;
}

/** A single figure; its target, if any, limits the median. */
export function measured(subject: Subject): Figure {
  const ours = median(subject.samples);
  return { ...subject, ours, ...verdict(subject.target, ours) };
}

/** A figure compared with a peer's; its target limits the ratio. If the peer has no samples, a note says so. */
export function compared(subject: Subject, against: { readonly name: string; readonly samples: readonly number[] }): Figure {
  const ours = median(subject.samples);
  if (against.samples.length === 0) return { ...subject, ours, note: `${against.name} is not installed` };
  const value = median(against.samples);
  return { ...subject, ours, against: { name: against.name, value }, ratio: ours / value, ...verdict(subject.target, ours / value) };
}

/** A figure that could not be measured here, and why. */
export function missing(name: string, unit: string, note: string): Figure {
  return { name, unit, ours: Number.NaN, note, samples: [] };
}

function verdict(target: Target | undefined, value: number): { met?: boolean } {
  if (target === undefined) return {};
  return { met: 'atLeast' in target ? value >= target.atLeast : value <= target.atMost };
}
