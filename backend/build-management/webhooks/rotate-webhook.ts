import { randomBytes } from 'node:crypto';
import type { BuildManagementEndpoints } from '#contract/build-management-endpoints.ts';
import type { Vendor, WebhookCredentials } from '#contract/build-management.ts';
import { callerName } from '../context.ts';
import type { BuildOperation } from '../context.ts';
import { hashOf } from '../links/link-secret.ts';
import { requireExternal } from '../hosting/kinds.ts';
import { findRepository } from '../repositories/find-repository.ts';
import { webhookAddress } from '../repositories/repository-view.ts';
import { sealFor } from '../repositories/sealed-texts.ts';
import { WEBHOOK_USER } from './vendor-events.ts';

/** How long the API key and the secret before stay good, so that no event is lost while the new ones are entered. */
const BOTH_VALID = 24 * 60 * 60 * 1000;

export const rotateWebhook: BuildOperation<BuildManagementEndpoints['rotateWebhook']> = async (context, { params }) => {
  const repository = await findRepository(context, params);
  requireExternal(repository, 'Its pushes arrive without a webhook.');
  const { webhook } = repository;
  const now = context.now();
  const [apiKey, secret] = [context.newSecret(), webhookSecret(repository.vendor)];
  const until = webhook === undefined ? undefined : new Date(now.getTime() + BOTH_VALID).toISOString();
  await context.store.repositories.change(repository.id, {
    api_key_hash: hashOf(apiKey),
    webhook_secret: sealFor(context, repository, 'webhook-secret', secret),
    webhook_created: now.toISOString(),
    webhook_created_by: callerName(context),
    previous_api_key_hash: webhook?.apiKeyHash ?? null,
    previous_webhook_secret: webhook?.secret ?? null,
    previous_until: until ?? null,
    last_modified: now.toISOString(),
  });
  const body: WebhookCredentials = {
    address: `${webhookAddress(context.rules.publicAddress, repository)}?api_key=${apiKey}`,
    apiKey,
    secret,
    username: WEBHOOK_USER,
    ...(until !== undefined && { previousValidUntil: until }),
  };
  return { status: webhook === undefined ? 201 : 200, body };
};

/** GitLab takes a signing token in this form alone, and any text as its older secret token: one text serves for both. */
function webhookSecret(vendor: Vendor): string {
  return vendor === 'gitlab' ? `whsec_${randomBytes(32).toString('base64')}` : randomBytes(32).toString('base64url');
}
