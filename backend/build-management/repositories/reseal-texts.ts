import { Refusal } from '../../domain/errors.ts';
import type { Services } from '../context.ts';
import { openOf, sealFor } from './sealed-texts.ts';
import type { SealedName } from './sealed-texts.ts';
import type { SealedColumn } from '../store/repositories.ts';

/**
 * After a new key was put first in the key file: reseals what older keys sealed. Returns how many texts were resealed, and how many could not be
 * opened. Values that are set in the meantime are not overwritten.
 */
export async function resealTexts({ store, box }: Pick<Services, 'store' | 'box'>): Promise<{ resealed: number; unreadable: number }> {
  const counts = { resealed: 0, unreadable: 0 };
  for (const { id, column, sealed, ...place } of await store.repositories.sealedTexts()) {
    if (!box.isOld(sealed)) continue;
    const name = NAMES[column];
    try {
      const after = openOf({ box }, place, name, sealed).use((value) => sealFor({ box }, place, name, value));
      await store.repositories.reseal({ id, column, before: sealed, after });
      counts.resealed += 1;
    } catch (error) {
      if (error instanceof Refusal) throw error;
      counts.unreadable += 1;
    }
  }
  return counts;
}

const NAMES: Readonly<Record<SealedColumn, SealedName>> = {
  access_token: 'access-token',
  webhook_secret: 'webhook-secret',
  previous_webhook_secret: 'webhook-secret',
};
