import { randomUUID } from 'node:crypto';
import { assistant as messages } from '#extension/messages/en/assistant.ts';
import { CommandFailure } from '../cli-context.ts';
import type { CommandResult } from '../cli-context.ts';

/** Something that somebody was shown before it is done. */
export interface Proposal {
  /** What they were shown. */
  readonly seen: string;
  /** The same, looked at again. */
  look(): Promise<string>;
  run(): Promise<CommandResult>;
}

export interface Proposals {
  /** Out: the identifier by which it can be done, once. */
  keep(proposal: Proposal): string;
  /** Does it if it is still what was shown; throws CommandFailure where it is not, or is not known. */
  apply(id: string): Promise<CommandResult>;
}

export function createProposals(now: () => Date): Proposals {
  const kept = new Map<string, { readonly proposal: Proposal; readonly until: number }>();
  return {
    keep(proposal) {
      const [oldest] = kept.keys();
      if (kept.size >= MOST && oldest !== undefined) kept.delete(oldest);
      const id = randomUUID();
      kept.set(id, { proposal, until: now().getTime() + LIFETIME });
      return id;
    },
    async apply(id) {
      const found = kept.get(id);
      kept.delete(id);
      if (found === undefined || found.until < now().getTime()) throw new CommandFailure(messages.refused.unknown(id));
      const { proposal } = found;
      if ((await proposal.look()) !== proposal.seen) throw new CommandFailure(messages.refused.changed);
      return proposal.run();
    },
  };
}

const MOST = 50;
/** Milliseconds. */
const LIFETIME = 30 * 60 * 1000;
