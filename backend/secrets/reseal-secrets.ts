import type { Store } from '../domain/ports.ts';
import { webhookSecretPlace } from '../events/rules/subscription-operations.ts';
import type { Resealed, SecretBox, SecretPlace } from './secret-box.ts';

/**
 * After a new key was put first in the key file: reseals what an older key sealed. Returns how many, and how many could not be opened.
 * Secrets set meanwhile are not overwritten. Rejects as the store does if it cannot be read or written: what was resealed until then stays.
 */
export async function resealSecrets(store: Store, box: SecretBox): Promise<{ resealed: number; unreadable: number }> {
  const counts = { resealed: 0, unreadable: 0 };
  const reseal = async (before: string, place: SecretPlace, change: (sealed: string) => Resealed) => {
    if (!box.isOld(before)) return;
    const sealed = sealedAgain(box, before, place);
    if (sealed === undefined) return void (counts.unreadable += 1);
    await store.write((writes) => writes.reseal(change(sealed)));
    counts.resealed += 1;
  };
  for (const secret of await store.reads.keySecrets())
    await reseal(secret.sealed, secret, (sealed) => ({ of: 'secret', secret: { ...secret, sealed }, before: secret.sealed }));
  for (const { id, org, channel } of await store.reads.webhookSubscriptions()) {
    if (channel.type !== 'webhook') continue;
    const before = channel.sealed;
    await reseal(before, webhookSecretPlace({ org, id }), (sealed) => ({ of: 'subscription', org, id, before, sealed }));
  }
  return counts;
}

/** Undefined if no key matches, or the text was changed or moved. */
function sealedAgain(box: SecretBox, sealed: string, place: SecretPlace): string | undefined {
  try {
    return box.open(sealed, place).use((value) => box.seal(value, place));
  } catch {
    return undefined;
  }
}
