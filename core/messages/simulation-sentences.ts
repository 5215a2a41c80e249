import type { ReadSimulation } from '../mappings/read-simulation.ts';
import { PAGE_EFFECTS, type SimulatedPage } from '../mappings/simulate-mappings.ts';
import type { Failure } from '../situation/call.ts';
import type { MessagesOf } from './language.ts';

type Messages = MessagesOf<'simulation'>['simulation'];

/** The effect on all pages, in one line. */
export function simulationSummary(messages: Messages, { pages, counts, lostFolders }: ReadSimulation): string {
  if (pages.length === 0) return messages.none;
  if (counts.unchanged === pages.length && lostFolders.length === 0) return messages.nothing({ pages: pages.length });
  const parts = PAGE_EFFECTS.flatMap((effect) => (counts[effect] === 0 ? [] : [messages.counts[effect]({ pages: counts[effect] })]));
  return `${parts.join(', ')}.`;
}

/** The effect on one page, without its path. */
export function pageSentence(messages: Messages, { before = '', after = '', effect, other }: SimulatedPage): string {
  switch (effect) {
    case 'collides':
      return (other?.isShown === true ? messages.hiddenBy : messages.shares)({ address: after, other: other?.path ?? '' });
    case 'vanishes':
      return messages.vanishes({ before });
    case 'appears':
      return messages.appears({ after });
    case 'changed':
    case 'unchanged':
      return messages.changed({ before, after });
    default:
      return effect satisfies never;
  }
}

/** Remarks: folders that lose their page, and what was not read. */
export function simulationRemarks(messages: Messages, simulation: ReadSimulation, why: (failure: Failure) => string): string[] {
  const { pages, lostFolders, isTruncated, failures } = simulation;
  const [unread] = failures;
  return [
    ...lostFolders.map(({ folder, page }) => messages.lostFolder({ folder, page })),
    ...(isTruncated ? [messages.cut({ pages: pages.length })] : []),
    ...(unread === undefined ? [] : [messages.unread({ count: failures.size, path: unread[0], why: why(unread[1]) })]),
  ];
}

/** The pages that are affected, the worst first. */
export function affectedPages({ pages }: ReadSimulation): SimulatedPage[] {
  return PAGE_EFFECTS.filter((effect) => effect !== 'unchanged').flatMap((effect) => pages.filter((page) => page.effect === effect));
}
