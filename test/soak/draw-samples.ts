import { measuresOf } from './judge-samples.ts';
import { MEASURES } from './take-sample.ts';
import type { Measure, Sample } from './take-sample.ts';

const [WIDTH, HEIGHT, GAP, TITLE] = [360, 90, 40, 60] as const;

/** A picture (SVG) of the samples: a column for each program, a row for each measure, each from nothing to its highest value. */
export function drawSamples(samples: readonly Sample[], title: string): string {
  const programs = [...new Set(samples.map(({ program }) => program))];
  const measures = measuresOf(samples);
  const size = [programs.length * (WIDTH + GAP) + GAP, measures.length * (HEIGHT + GAP) + TITLE + GAP] as const;
  const charts = measures.flatMap((measure, row) =>
    programs.map((program, column) => {
      const place = `translate(${GAP + column * (WIDTH + GAP)} ${TITLE + row * (HEIGHT + GAP)})`;
      const points = samples.filter((one) => one.program === program && one.values[measure] !== undefined);
      return `<g transform="${place}">${chart(program, measure, points)}</g>`;
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
