import { median } from '../bench/measure.ts';
import { type Measure, MEASURES, type Sample } from './take-sample.ts';

/** The course of a measure of a program. */
export interface Course {
  readonly program: string;
  readonly measure: Measure;
  /** Medians of the first and the last third of the time. */
  readonly first: number;
  readonly last: number;
  /** Its rise in the last two thirds, by the median slope of all pairs of samples. */
  readonly rise: number;
  /** The rise that counts as noise; absent if the measure may rise. */
  readonly bound?: number;
  readonly grows: boolean;
}

/** Memory may rise by a tenth or by this many MB, whichever is more; counts by a tenth or by this many. */
const SHARE = 0.1;
const LEAST: Readonly<Partial<Record<Measure, number>>> = { resident: 12, heap: 8, external: 8, files: 6, handles: 6, threads: 3 };
/** Of these only samples after garbage collection count, because memory rises in between. */
const KEPT: readonly Measure[] = ['resident', 'heap', 'external'];

/**
 * Whether memory, files, handles and threads of the programs stay constant. Ignores the first third, in which caches fill and code is
 * compiled. Only the programs in `judged` can fail for growth.
 */
export function judgeSamples(samples: readonly Sample[], judged: readonly string[]): Course[] {
  const programs = [...new Set(samples.map(({ program }) => program))];
  const end = Math.max(...samples.map(({ at }) => at));
  return programs.flatMap((program) => {
    const collects = samples.some((one) => one.program === program && one.collected);
    return measuresOf(samples, program).map((measure): Course => {
      const points = samples.flatMap(({ program: of, at, collected, values }) => {
        const value = values[measure];
        const counts = of === program && (collected || !collects || !KEPT.includes(measure));
        return counts && value !== undefined ? [{ at, value }] : [];
      });
      const third = (from: number) => points.filter(({ at }) => at >= (from * end) / 3 && at <= ((from + 1) * end) / 3);
      const settled = points.filter(({ at }) => at >= end / 3);
      const rise = slope(settled) * ((end * 2) / 3);
      const least = judged.includes(program) ? LEAST[measure] : undefined;
      const level = median(settled.map(({ value }) => value));
      const bound = least === undefined ? undefined : Math.max(least, SHARE * level);
      return {
        program,
        measure,
        first: median(third(0).map(({ value }) => value)),
        last: median(third(2).map(({ value }) => value)),
        rise,
        ...(bound !== undefined && { bound }),
        grows: bound !== undefined && rise > bound,
      };
    });
  });
}

function measuresOf(samples: readonly Sample[], program?: string): Measure[] {
  const isMeasured = (measure: Measure) =>
    samples.some(({ program: of, values }) => (program === undefined || of === program) && values[measure] !== undefined);
  return (Object.keys(MEASURES) as Measure[]).filter(isMeasured);
}

interface Point {
  readonly at: number;
  readonly value: number;
}

/** The Theil–Sen slope per second, which ignores outliers; long runs are sampled. */
function slope(points: readonly Point[]): number {
  const step = Math.ceil(points.length / MAX_POINTS);
  const some = points.filter((_, index) => index % step === 0);
  const slopes = some.flatMap((a, index) => some.slice(index + 1).map((b) => (b.value - a.value) / (b.at - a.at)));
  return slopes.length === 0 ? 0 : median(slopes);
}

const MAX_POINTS = 400;

const [WIDTH, HEIGHT, GAP, TITLE] = [360, 90, 40, 60] as const;

/** A picture (SVG) of the samples: a column for each program, a row for each measure, each from zero to its highest value. */
export function drawSamples(samples: readonly Sample[], title: string): string {
  const programs = [...new Set(samples.map(({ program }) => program))];
  const measures = measuresOf(samples);
  const size = [programs.length * (WIDTH + GAP) + GAP, measures.length * (HEIGHT + GAP) + TITLE + GAP] as const;
  const charts = measures.flatMap((measure, row) =>
    programs.map((program, column) => {
      const offset = `translate(${GAP + column * (WIDTH + GAP)} ${TITLE + row * (HEIGHT + GAP)})`;
      const points = samples.filter((one) => one.program === program && one.values[measure] !== undefined);
      return `<g transform="${offset}">${chart(program, measure, points)}</g>`;
    }),
  );
  return `<svg xmlns="http://www.w3.org/2000/svg" viewBox="0 0 ${size[0]} ${size[1]}" font-family="sans-serif" font-size="12">
<rect width="100%" height="100%" fill="white"/>
<text x="${GAP}" y="28" font-size="16">${escaped(title)}</text>
${charts.join('\n')}
</svg>
`;
}

function chart(program: string, measure: Measure, samples: readonly Sample[]): string {
  if (samples.length === 0) return '';
  const points = samples.map(({ at, values }) => [at, values[measure] ?? 0] as const);
  const [end, highest] = [Math.max(1, ...points.map(([at]) => at)), Math.max(1e-9, ...points.map(([, value]) => value))];
  const line = points.map(([at, value]) => `${((at / end) * WIDTH).toFixed(1)},${(HEIGHT - (value / highest) * HEIGHT).toFixed(1)}`);
  const { title, unit } = MEASURES[measure];
  return `<text y="-4">${escaped(`${program}: ${title}, highest ${highest.toFixed(1)} ${unit}`)}</text>
<rect width="${WIDTH}" height="${HEIGHT}" fill="none" stroke="#bbb"/>
<polyline fill="none" stroke="#0265dc" stroke-width="1.5" points="${line.join(' ')}"/>
<text x="${WIDTH}" y="${HEIGHT + 14}" text-anchor="end" fill="#666">${(end / 60).toFixed(1)} min</text>`;
}

function escaped(text: string): string {
  return text.replaceAll('&', '&amp;').replaceAll('<', '&lt;');
}
