import type { Bench, DimensionName, Scenario } from '../options.ts';
import type { Figure } from '../figures.ts';
import { growthWithNodes } from './growth/nodes.ts';
import { growthWithRepositories } from './growth/repositories.ts';
import { growthWithSites } from './growth/sites.ts';
import { growthWithWriters } from './growth/writers.ts';

const DIMENSION: Record<DimensionName, (bench: Bench) => Promise<Figure[]>> = {
  sites: growthWithSites,
  writers: growthWithWriters,
  nodes: growthWithNodes,
  repositories: growthWithRepositories,
};

/** How the cost of one thing grows with the number of others: sites stored, writers, nodes, repositories. */
export const growth: Scenario = async (bench) => {
  const figures: Figure[] = [];
  for (const name of bench.options.dimensions) figures.push(...(await DIMENSION[name](bench)));
  return { scenario: 'How cost grows', figures };
};
