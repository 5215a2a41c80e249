import type { Scenario } from '../bench.ts';
import { growthWithNodes } from './growth/nodes.ts';
import { growthWithSites } from './growth/sites-stored.ts';
import { growthWithWriters } from './growth/writers.ts';

/** How the cost of one thing grows with the number of others: sites stored, writers, nodes. */
export const growth: Scenario = async (bench) => ({
  scenario: 'How cost grows',
  figures: [...(await growthWithSites(bench)), ...(await growthWithWriters(bench)), ...(await growthWithNodes(bench))],
});
