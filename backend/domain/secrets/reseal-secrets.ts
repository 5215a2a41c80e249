import type { Store } from '../ports.ts';
import { webhookSecretPlace } from '../events/webhook-secret.ts';
import type { SecretBox } from './secret-box.ts';

/**
 * After a new key was put first in the key file: seals again what an older key sealed. Out: how many, and how many could
 * not be opened. Secrets that are set meanwhile stay as they were set.
 */
export async function resealSecrets(store: Store, box: SecretBox): Promise<{ resealed: number; unreadable: number }> {
  const counts = { resealed: 0, unreadable: 0 };
  for (const secret of await store.reads.keySecrets()) {
    if (!box.isOld(secret.sealed)) continue;
    try {
      const sealed = box.open(secret.sealed, secret).use((value) => box.seal(value, secret));
      await store.write((writes) => writes.reseal({ of: 'secret', secret: { ...secret, sealed }, before: secret.sealed }));
      counts.resealed += 1;
    } catch {
      counts.unreadable += 1;
    }
  }
  for (const subscription of await store.reads.webhookSubscriptions()) {
    const { channel } = subscription;
    if (channel.type !== 'webhook' || !box.isOld(channel.sealed)) continue;
    const place = webhookSecretPlace(subscription);
    try {
      const sealed = box.open(channel.sealed, place).use((value) => box.seal(value, place));
      await store.write((writes) => writes.reseal({ of: 'subscription', id: subscription.id, before: channel.sealed, sealed }));
      counts.resealed += 1;
    } catch {
      counts.unreadable += 1;
    }
  }
  return counts;
}
