import { SiteName } from '@repoless/contract/names.ts';
import { readPageAddress } from './start-page.ts';

export interface ProductionInput {
  readonly author: string;
  readonly page: string;
  readonly suffix: string;
}

export type ProductionProblem = 'author' | 'same' | 'page' | 'suffix';

/** What is wrong with the address of another environment as it is typed. In: `here` is the author at hand. */
export function productionProblems({ author, page, suffix }: ProductionInput, here: string): Set<ProductionProblem> {
  const read = readPageAddress(author, page);
  const problems = new Set<ProductionProblem>();
  if (read.author === undefined) problems.add('author');
  if (read.author === here) problems.add('same');
  if (read.path === undefined) problems.add('page');
  if (suffix !== '' && !SiteName.safeParse(suffix).success) problems.add('suffix');
  return problems;
}
