import type { Course } from './judge-samples.ts';
import { MEASURES } from './take-sample.ts';

/** The table of a run, in Markdown. */
export function printCourses(courses: readonly Course[]): string {
  const lines = courses.map(({ program, measure, first, last, rise, bound, grows }) => {
    const { title, unit } = MEASURES[measure];
    const cells = [program, title, unit, number(first), number(last), number(rise), bound === undefined ? '–' : number(bound)];
    return `| ${cells.join(' | ')} | ${grows ? '**grows**' : ''} |`;
  });
  return `| Program | Measure | Unit | First third | Last third | Rise | Bound | |
| --- | --- | --- | --- | --- | --- | --- | --- |
${lines.join('\n')}
`;
}

function number(value: number): string {
  return Math.abs(value) >= 100 ? value.toFixed(0) : value.toFixed(1);
}
