import type { OrganizationSite } from '@repoless/core/sites/organization-sites.ts';
import type { MoveTarget } from './stored-moves.ts';

/** Sites that are to move from an author, or a move that was begun. */
export type Moving = Pick<MoveTarget, 'from' | 'names'> | MoveTarget;

/** The chosen sites move from the environment at hand, or where none is of that, from the first one's; what is of another stays, and is told so. */
export function movingOf(sites: readonly OrganizationSite[], here: string): Moving {
  const authors = sites.flatMap(({ author }) => author ?? []);
  const from = authors.includes(here) ? here : (authors[0] ?? here);
  return { from, names: sites.map(({ name }) => name) };
}
