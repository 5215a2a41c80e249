import { createHash, randomUUID } from 'node:crypto';
import type { CommandResult } from '../cli-context.ts';

/** Something that somebody was shown before it is done. */
export interface Proposal {
  /** What they were shown. */
  readonly seen: string;
  run(): Promise<CommandResult>;
}

/** A proposal as it is kept: enough to make it again, and to tell whether it is still what was shown. */
export interface KeptPlan {
  /** The tool that proposed it, and what that was given. */
  readonly tool: string;
  readonly input: unknown;
  readonly digest: string;
}

/** Where plans are kept until they are applied, each for its maker alone. */
export interface Plans {
  /** Out: the identifier by which it can be done, once. */
  keep(plan: KeptPlan): Promise<string>;
  /** Undefined where there is none, or no more; whoever takes it has it alone. */
  take(id: string): Promise<KeptPlan | undefined>;
}

/** Milliseconds that a plan holds. */
export const PLAN_LIFETIME = 30 * 60 * 1000;

/** What stands for what was shown. */
export function digestOf({ seen }: Proposal): string {
  return createHash('sha256').update(seen).digest('base64url');
}

/** Plans of a program that serves one person, for as long as it runs. */
export function plansInMemory(now: () => Date): Plans {
  const kept = new Map<string, { readonly plan: KeptPlan; readonly until: number }>();
  return {
    async keep(plan) {
      const [oldest] = kept.keys();
      if (kept.size >= MOST && oldest !== undefined) kept.delete(oldest);
      const id = randomUUID();
      kept.set(id, { plan, until: now().getTime() + PLAN_LIFETIME });
      return id;
    },
    async take(id) {
      const found = kept.get(id);
      kept.delete(id);
      return found === undefined || found.until < now().getTime() ? undefined : found.plan;
    },
  };
}

const MOST = 50;
