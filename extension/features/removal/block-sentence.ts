import { explainFailure } from '@repoless/core/messages/explain-failure.ts';
import type { Messages, MessagesOf } from '@repoless/core/messages/language.ts';
import type { RemovalBlock } from '@repoless/core/sites/plan-removals.ts';

/** Names that are said before the rest is counted. */
const NAMED = 5;

/** Why a site is not removed, and what to do. */
export function blockSentence(messages: Messages & Pick<MessagesOf<'sites'>, 'removals'>, block: RemovalBlock): string {
  const { removals } = messages;
  switch (block.kind) {
    case 'other-site':
      return removals.otherSite;
    case 'base':
      return removals.base({ names: few(removals, block.sites) });
    case 'holds-secret':
      return removals.holdsSecret({ names: few(removals, block.sites) });
    case 'failed': {
      const { sentence, next } = explainFailure(messages, block.failure);
      return next === undefined ? sentence : `${sentence} ${next}`;
    }
    default:
      return block satisfies never;
  }
}

/** The first names, and how many there are besides. */
export function few({ more }: Pick<MessagesOf<'sites'>['removals'], 'more'>, names: readonly string[]): string {
  const shown = names.slice(0, NAMED).join(', ');
  return names.length <= NAMED ? shown : `${shown} ${more({ many: names.length - NAMED })}`;
}
