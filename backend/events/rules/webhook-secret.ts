import { randomBytes } from 'node:crypto';
import type { SecretPlace } from '../../secrets/secret-box.ts';

/** A secret of the form of Standard Webhooks. */
export function newWebhookSecret(): string {
  return `whsec_${randomBytes(32).toString('base64')}`;
}

/** Where it is sealed for; no site has such a name. */
export function webhookSecretPlace({ org, id }: { readonly org: string; readonly id: string }): SecretPlace {
  return { org, site: '', name: `subscription/${id}` };
}
