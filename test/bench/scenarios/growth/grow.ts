import { alternate, median } from '../../measure.ts';
import type { Bench } from '../../options.ts';
import { compared, type Figure, measured, missing } from '../../figures.ts';

/** One kind of cost (lower is better) at one step of the growth; undefined if the system does not report it. */
export interface Cost {
  readonly name: string;
  readonly unit: string;
  measure(): Promise<number | undefined>;
}

export interface Step {
  readonly count: number;
  readonly costs: readonly Cost[];
}

/** An exponent up to this is within noise of linear. */
const LINEAR = 1.1;

/**
 * How costs grow with the number of something. All steps exist at the same time and are measured in turn. Returns the medians of each
 * cost compared with the previous step, with the exponent between both (0: constant, 1: linear); more than linear misses the target.
 */
export async function grow({ options, showProgress }: Bench, what: string, steps: readonly Step[]): Promise<Figure[]> {
  const nameOf = (cost: Cost, { count }: Step) => `${cost.name}, ${count.toLocaleString('en')} ${what}`;
  const contestants = steps.flatMap((step) => step.costs.map((cost) => ({ name: nameOf(cost, step), run: () => cost.measure() })));
  const results = await alternate(contestants, options.runs, showProgress);
  const samples = (name: string) => results(name).flatMap((value) => (value === undefined ? [] : [value]));
  const [first] = steps;
  return (first?.costs ?? []).flatMap(({ name: cost }) =>
    steps.flatMap((step, index): Figure[] => {
      const found = step.costs.find(({ name }) => name === cost);
      if (found === undefined) return [];
      const subject = { name: nameOf(found, step), unit: found.unit, samples: samples(nameOf(found, step)) };
      if (subject.samples.length === 0)
        return [missing(subject.name, found.unit, 'this system does not report the processor time or the memory of a process')];
      const before = steps[index - 1];
      if (before === undefined) return [measured(subject)];
      const peer = { name: before.count.toLocaleString('en'), samples: samples(nameOf(found, before)) };
      const times = step.count / before.count;
      const exponent = Math.log(median(subject.samples) / median(peer.samples)) / Math.log(times);
      const grown = compared({ ...subject, target: { atMost: times ** LINEAR } }, peer);
      return [{ ...grown, exponent, ...(grown.met === false && { note: 'steeper than linear' }) }];
    }),
  );
}
