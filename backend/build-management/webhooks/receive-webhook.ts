import type { BuildManagementEndpoints } from '#contract/build-management-endpoints.ts';
import type { Delivery, WebhookAnswer } from '#contract/build-management-deliveries.ts';
import { Refusal } from '#backend/domain/errors.ts';
import type { BuildContext, BuildVerb } from '../context.ts';
import { isSecretOf } from '../links/link-secret.ts';
import { openOf } from '../repositories/sealed-texts.ts';
import type { StoredRepository, WebhookPair } from '../store/stored-repository.ts';
import { beginDelivery } from './run-delivery.ts';
import type { ArrivedEvent } from './vendor-events.ts';
import { eventsOf } from './vendors/events-of.ts';

/**
 * Events of a git vendor. Order of defence: address, API key, signature over the bytes as they came, body, delivery seen
 * before; only then anything is begun, and the vendor need not wait for it.
 */
export const receiveWebhook: BuildVerb<BuildManagementEndpoints['receiveWebhook']> = async (context, { params, query, headers, raw }) => {
  const repository = await context.store.repositories.byKey(params.webhook);
  if (repository === undefined)
    throw new Refusal('WEBHOOK_NOT_FOUND', 'There is no webhook at this address. Copy the address of the repository once more.');
  const pairs = validPairs(repository, context.now());
  requireApiKey(pairs, query.api_key ?? headers['x-api-key']);
  const event = { headers, bytes: raw ?? new Uint8Array() };
  await requireSignature(context, repository, pairs, event);

  const read = eventsOf(repository.vendor).read(event);
  const delivery: Delivery = {
    ...newDelivery(context, read.event),
    ...(read.deliveryId !== undefined && { deliveryId: read.deliveryId.slice(0, LONGEST_ID) }),
    changes: [...read.changes],
    ...(read.ignored !== undefined && { outcome: 'ignored', detail: read.ignored, finished: context.now().toISOString() }),
  };
  const earlier = await context.store.deliveries.add(repository.id, delivery);
  if (earlier !== undefined) return answered(200, earlier, true);
  if (delivery.outcome !== 'accepted') return answered(200, delivery, false);
  beginDelivery(context, repository, delivery);
  return answered(202, delivery, false);
};

export function newDelivery(context: Pick<BuildContext, 'newId' | 'now'>, event: string): Delivery {
  const received = context.now().toISOString();
  return { id: context.newId(), event: event.slice(0, 100), received, changes: [], outcome: 'accepted', jobs: [], attempts: 0, repeats: 0 };
}

function answered(status: number, { id, outcome, detail }: Delivery, repeated: boolean) {
  const body: WebhookAnswer = { delivery: id, outcome, repeated, ...(detail !== undefined && { detail }) };
  return { status, body };
}

/** The current credentials, and for a while those before the last rotation. */
function validPairs({ webhook }: StoredRepository, now: Date): WebhookPair[] {
  if (webhook === undefined) return [];
  const { previous } = webhook;
  return previous !== undefined && Date.parse(previous.until) > now.getTime() ? [webhook, previous] : [webhook];
}

function requireApiKey(pairs: readonly WebhookPair[], apiKey: string | undefined): void {
  if (apiKey !== undefined && pairs.some(({ apiKeyHash }) => isSecretOf(apiKey, apiKeyHash))) return;
  throw new Refusal(
    'API_KEY_REFUSED',
    'The API key is missing or not accepted. Enter the whole webhook address, with its api_key, at the git vendor.',
  );
}

async function requireSignature(
  context: BuildContext,
  repository: StoredRepository,
  pairs: readonly WebhookPair[],
  event: ArrivedEvent,
): Promise<void> {
  const { signedBy, isSigned } = eventsOf(repository.vendor);
  const fits = pairs
    .map(({ secret }) => openOf(context, repository, 'webhook-secret', secret))
    .map((secret) => secret.use((value) => isSigned(event, value, context.now())));
  if (fits.includes(true)) return;
  const sentence = `The signature in ${signedBy} is missing or wrong. Enter the webhook secret of this repository at the git vendor.`;
  // Who has the API key may see in the list why its events do nothing. The delivery's name is not remembered: it proves nothing.
  const refused: Delivery = {
    ...newDelivery(context, 'unknown'),
    outcome: 'refused',
    detail: sentence,
    finished: context.now().toISOString(),
  };
  await context.store.deliveries.add(repository.id, refused);
  throw new Refusal('INVALID_SIGNATURE', sentence);
}

const LONGEST_ID = 200;
