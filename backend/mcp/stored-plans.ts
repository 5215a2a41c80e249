import { PLAN_LIFETIME, type Plans, type StoredPlan } from '@repoless/command-line/mcp/tool.ts';
import { LIMITS } from '@repoless/contract/limits.ts';
import { createHash } from 'node:crypto';
import { z } from 'zod';
import { type Context, shareOf } from '../domain/context.ts';
import { Refusal } from '@repoless/contract/refusal.ts';
import type { SecretBox } from '../secrets/secret-box.ts';

/** The stored form; sealed, because it may contain what no one else may read. `key` is for nodes of the previous version. */
const Stored = z.object({ key: z.string(), until: z.number(), sealed: z.string() });
const Opened = z.object({ tool: z.string(), input: z.unknown(), digest: z.string() });

/**
 * The plans of a caller, for every node and beyond a restart. The key of a plan includes its caller: it is not found with another token. It
 * is taken in one step, so of two who apply it one succeeds (docs/contract.md 10.3). A caller who creates more than the limit displaces
 * their own.
 */
export function storedPlans({ store: { shortLived }, caller, now, newId }: Given, box: Pick<SecretBox, 'seal' | 'open'>): StoredPlans {
  const share = `${hashOf(shareOf(caller))} `;
  const own = caller.kind === 'user' && caller.key !== undefined ? `${share}${hashOf(caller.email.toLowerCase())} ` : share;
  const keyOf = (id: string) => own + hashOf(id);
  const displaceOldest = async () => {
    await shortLived.keepLatest('plan', LIMITS.assistantPlans - 1, own);
    if (own !== share) await shortLived.keepLatest('plan', LIMITS.assistantPlansOfKeys - 1, share);
    if ((await shortLived.count('plan')) >= LIMITS.openAssistantPlans) await shortLived.displace('plan', share.length);
  };
  return {
    async keep(plan) {
      const text = JSON.stringify(plan);
      if (text.length > LIMITS.assistantInput)
        throw new Refusal(
          'BODY_TOO_LARGE',
          `The plan has more than ${LIMITS.assistantInput} characters, which is the limit. Plan fewer changes at once.`,
        );
      await displaceOldest();
      const id = newId();
      const key = keyOf(id);
      const until = now().getTime() + PLAN_LIFETIME;
      await shortLived.add('plan', key, { key, until, sealed: box.seal(text, placeOf(key)) }, new Date(until));
      return id;
    },
    async look(id) {
      const key = keyOf(id);
      const stored = Stored.safeParse(await shortLived.get('plan', key));
      return stored.success ? opened(box, key, stored.data.sealed) : undefined;
    },
    async take(id) {
      const key = keyOf(id);
      const stored = Stored.safeParse(await shortLived.take('plan', key));
      return stored.success && stored.data.until >= now().getTime() ? opened(box, key, stored.data.sealed) : undefined;
    },
  };
}

export interface StoredPlans extends Plans {
  /** The plan, without taking it. */
  look(id: string): Promise<StoredPlan | undefined>;
}

type Given = Pick<Context, 'caller' | 'now' | 'newId'> & { readonly store: Pick<Context['store'], 'shortLived'> };

/** A plan sealed by a missing key no longer counts. */
function opened(box: Pick<SecretBox, 'open'>, key: string, sealed: string): StoredPlan | undefined {
  try {
    const { tool, input, digest } = Opened.parse(JSON.parse(box.open(sealed, placeOf(key)).reveal()));
    return { tool, input, digest };
  } catch {
    return undefined;
  }
}

function placeOf(key: string) {
  return { org: '', site: '', name: `plan ${key}` };
}

function hashOf(text: string): string {
  return createHash('sha256').update(text).digest('base64url');
}
