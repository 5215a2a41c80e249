import { randomBytes } from 'node:crypto';
import type { BuildManagementEndpoints } from '@repoless/contract/build-management-endpoints.ts';
import type { GitVendor, WebhookCredentials } from '@repoless/contract/build-management.ts';
import { Refusal } from '../../domain/errors.ts';
import { callerName, noteOf } from '../context.ts';
import type { BuildOperation } from '../context.ts';
import { hashOf } from '../links/link-secret.ts';
import { findRepository } from '../repositories/find-repository.ts';
import { webhookAddress } from '../repositories/repository-view.ts';
import { sealFor } from '../repositories/sealed-texts.ts';
import { WEBHOOK_USER } from './vendor-events.ts';

/** How long the API key and the secret before stay good, so that no event is lost while the new ones are entered. */
const BOTH_VALID = 24 * 60 * 60 * 1000;

export const rotateWebhook: BuildOperation<BuildManagementEndpoints['rotateWebhook']> = async (context, input) => {
  const repository = await findRepository(context, input.params);
  const { webhook } = repository;
  const now = context.now();
  if (webhook?.previous !== undefined && Date.parse(webhook.previous.until) > now.getTime()) throw renewed(webhook.previous.until);
  const [apiKey, secret] = [context.newSecret(), webhookSecret(repository.vendor)];
  const until = webhook === undefined ? undefined : new Date(now.getTime() + BOTH_VALID).toISOString();
  const change = {
    api_key_hash: hashOf(apiKey),
    webhook_secret: sealFor(context, repository, 'webhook-secret', secret),
    webhook_created: now.toISOString(),
    webhook_created_by: callerName(context),
    previous_api_key_hash: webhook?.apiKeyHash ?? null,
    previous_webhook_secret: webhook?.secret ?? null,
    previous_until: until ?? null,
    last_modified: now.toISOString(),
  };
  const note = noteOf(context, input.params.org, { action: 'rotate-webhook' });
  const isMade = await context.store.repositories.changeWebhook(repository, change, note);
  // Somebody else was faster: what they were promised stays.
  if (!isMade) return await rotateWebhook(context, input);
  context.telling.begin();
  const body: WebhookCredentials = {
    address: `${webhookAddress(context.rules.publicAddress, repository)}?api_key=${apiKey}`,
    apiKey,
    secret,
    username: WEBHOOK_USER,
    ...(until !== undefined && { previousValidUntil: until }),
  };
  return { status: webhook === undefined ? 201 : 200, body };
};

/** Two rotations within a day are refused: only two pairs are stored. */
function renewed(until: string): Refusal {
  const sentence = `The credentials of this webhook were renewed less than a day ago; the previous ones stay valid until ${until}. Enter the new ones at the git vendor. After that, you can create others.`;
  return new Refusal('WEBHOOK_ROTATED', sentence, { data: { until } });
}

/** GitLab takes a signing token in this form alone, and any text as its older secret token: one text serves for both. */
function webhookSecret(vendor: GitVendor): string {
  return vendor === 'gitlab' ? `whsec_${randomBytes(32).toString('base64')}` : randomBytes(32).toString('base64url');
}
