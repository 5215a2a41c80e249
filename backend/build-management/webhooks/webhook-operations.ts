import type { BuildManagementEndpoints } from '@repoless/contract/build-management-endpoints.ts';
import type { Delivery, GitVendor, WebhookAnswer, WebhookCredentials } from '@repoless/contract/build-management.ts';
import { codeSentence } from '@repoless/contract/code-sentences.ts';
import { branchProblem, sanitizeRef } from '@repoless/contract/names.ts';
import { createHash, randomBytes } from 'node:crypto';
import { Refusal } from '@repoless/contract/refusal.ts';
import { type BuildContext, type BuildOperation, callerName, noteOf, hashOf, isSecretOf, sealFor, webhookSecretOf } from '../context.ts';
import { refreshOrRefuse } from '../repositories/refresh-mirror.ts';
import { findRepository, requireReady, webhookAddress } from '../repositories/repository-operations.ts';
import { NO_SITE } from '../service/configuration-service.ts';
import type { StoredRepository, WebhookPair } from '../store/repositories.ts';
import { runDelivery, startDelivery } from './run-delivery.ts';
import { eventsOf, type ReceivedWebhook, WEBHOOK_USER } from './vendor-events.ts';

/** Receives an event of a git vendor (docs/contract.md 7.3). Checks address, signature, API key, body and repetition before it starts anything. */
export const receiveWebhook: BuildOperation<BuildManagementEndpoints['receiveWebhook']> = async (
  context,
  { params, headers, raw, rest },
) => {
  const repository = await context.store.repositories.byKey(params.webhook);
  if (repository === undefined)
    throw new Refusal('WEBHOOK_NOT_FOUND', 'There is no webhook at this address. Copy the webhook address of the repository again.');
  const pairs = validPairs(repository, context.now());
  const event = { headers, bytes: raw ?? new Uint8Array(), org: repository.org };
  const hasKey = () => isKeyOf(pairs, rest?.().api_key ?? headers['x-api-key']);
  if (!isSigned(context, repository, pairs, event)) {
    const sentence = codeSentence('signatureRefused', { _header: eventsOf(repository.vendor).signedBy });
    // The owner of the API key may see in the list why events fail; requests without it must not fill the list.
    if (orFalse(hasKey)) await recordRefused(context, repository, sentence);
    throw new Refusal('INVALID_SIGNATURE', sentence);
  }
  if (!hasKey()) {
    await recordRefused(context, repository, NO_KEY);
    throw new Refusal('API_KEY_REFUSED', NO_KEY);
  }

  const read = await eventsOf(repository.vendor).read(event);
  const delivery: Delivery = {
    ...newDelivery(context, read.event),
    ...(read.deliveryId !== undefined && { deliveryId: read.deliveryId.slice(0, LONGEST_ID) }),
    changes: [...read.changes],
    ...(read.ignored !== undefined && { outcome: 'ignored', detail: read.ignored, finished: context.now().toISOString() }),
  };
  const signed = eventsOf(repository.vendor).isRepeatable === true ? createHash('sha256').update(event.bytes).digest('hex') : undefined;
  if (delivery.outcome !== 'accepted') {
    const earlier = await context.store.deliveries.add(repository.id, delivery);
    return webhookAnswer(200, earlier ?? delivery, earlier !== undefined);
  }
  // Before it is stored, because the vendor may resend a refused one under the same name.
  const ended = context.events.enter(repository.org);
  const earlier = await context.store.deliveries.add(repository.id, delivery, signed).catch((error: unknown) => {
    ended();
    throw error;
  });
  if (earlier === undefined) startDelivery(context, repository, delivery, ended);
  else ended();
  return earlier === undefined ? webhookAnswer(202, delivery, false) : webhookAnswer(200, earlier, true);
};

export function newDelivery(context: Pick<BuildContext, 'newId' | 'now'>, event: string): Delivery {
  const received = context.now().toISOString();
  return { id: context.newId(), event: event.slice(0, 100), received, changes: [], outcome: 'accepted', jobs: [], attempts: 0, repeats: 0 };
}

function webhookAnswer(status: number, { id, outcome, detail }: Delivery, repeated: boolean) {
  const body: WebhookAnswer = { delivery: id, outcome, repeated, ...(detail !== undefined && { detail }) };
  return { status, body };
}

/** The current credentials and, for a day, those from before the last rotation. */
function validPairs({ webhook }: StoredRepository, now: Date): WebhookPair[] {
  if (webhook === undefined) return [];
  const { previous } = webhook;
  return previous !== undefined && Date.parse(previous.until) > now.getTime() ? [webhook, previous] : [webhook];
}

function isKeyOf(pairs: readonly WebhookPair[], apiKey: string | undefined): boolean {
  return apiKey !== undefined && pairs.some(({ apiKeyHash }) => isSecretOf(apiKey, apiKeyHash));
}

function isSigned(context: BuildContext, repository: StoredRepository, pairs: readonly WebhookPair[], event: ReceivedWebhook): boolean {
  const vendor = eventsOf(repository.vendor);
  const fits = (sealed: string) =>
    webhookSecretOf(context, repository, sealed).use((value) => vendor.isSigned(event, value, context.now()));
  const outcomes = pairs.map(({ secret }) => outcomeOf(() => fits(secret)));
  if (outcomes.includes(true)) return true;
  // A secret that cannot be opened is skipped if another one matches.
  const unreadable = outcomes.find((outcome) => outcome instanceof Refusal);
  if (unreadable !== undefined) throw unreadable;
  return false;
}

function outcomeOf(work: () => boolean): boolean | Refusal {
  try {
    return work();
  } catch (error) {
    if (error instanceof Refusal) return error;
    throw error;
  }
}

/** Stores no name of the delivery, because nothing in the event can be trusted. */
async function recordRefused(context: BuildContext, { id }: StoredRepository, sentence: string): Promise<void> {
  const finished = context.now().toISOString();
  await context.store.deliveries.add(id, { ...newDelivery(context, 'unknown'), outcome: 'refused', detail: sentence, finished });
}

/** If the signature is invalid, errors in the rest of the call do not matter. */
function orFalse(condition: () => boolean): boolean {
  try {
    return condition();
  } catch {
    return false;
  }
}

const NO_KEY = codeSentence('apiKeyRefused');
const LONGEST_ID = 200;

/** How long the previous API key and secret stay valid, so that no event is lost while the new ones are entered. */
const OVERLAP = 24 * 60 * 60 * 1000;

export const rotateWebhook: BuildOperation<BuildManagementEndpoints['rotateWebhook']> = async (context, input) => {
  const repository = await findRepository(context, input.params);
  const { webhook } = repository;
  const now = context.now();
  if (webhook?.previous !== undefined && Date.parse(webhook.previous.until) > now.getTime()) throw rotatedRecently(webhook.previous.until);
  const [apiKey, secret] = [context.newSecret(), webhookSecret(repository.vendor)];
  const until = webhook === undefined ? undefined : new Date(now.getTime() + OVERLAP).toISOString();
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
  const isChanged = await context.store.repositories.changeWebhook(repository, change, note);
  // A concurrent rotation was faster: its credentials stay valid.
  if (!isChanged) return await rotateWebhook(context, input);
  context.trailForwarder.start();
  const body: WebhookCredentials = {
    address: `${webhookAddress(context.rules.publicAddress, repository)}?api_key=${apiKey}`,
    apiKey,
    secret,
    username: WEBHOOK_USER,
    ...(until !== undefined && { previousValidUntil: until }),
  };
  return { status: webhook === undefined ? 201 : 200, body };
};

/** Refuses a third pair within a day: only two are stored. */
function rotatedRecently(until: string): Refusal {
  const sentence = `The credentials of this webhook were renewed less than a day ago; the previous ones stay valid until ${until}. Enter the new ones at the git vendor. After that, you can create others.`;
  return new Refusal('WEBHOOK_ROTATED', sentence, { data: { until } });
}

/** GitLab accepts a signing token only in this form, and any text as its older secret token: one text serves for both. */
function webhookSecret(vendor: GitVendor): string {
  return vendor === 'gitlab' ? `whsec_${randomBytes(32).toString('base64')}` : randomBytes(32).toString('base64url');
}

export const listDeliveries: BuildOperation<BuildManagementEndpoints['listDeliveries']> = async (context, { params }) => {
  const { id } = await findRepository(context, params);
  return { status: 200, body: { deliveries: await context.store.deliveries.list(id) } };
};

/** Runs an event again from its stored data. One with an invalid signature is never run. */
export const resendDelivery: BuildOperation<BuildManagementEndpoints['resendDelivery']> = async (context, { params }) => {
  const repository = await findRepository(context, params);
  const delivery = await context.store.deliveries.find(repository.id, params.delivery);
  if (delivery === undefined || delivery.changes.length === 0) {
    const sentence = 'This delivery does not exist, or changes no branch. Only the last hundred are stored. Reload the list.';
    throw new Refusal('DELIVERY_NOT_FOUND', sentence);
  }
  const start = () =>
    context.store.deliveries.change(delivery.id, { outcome: 'accepted', detail: null, finished: null, caller: callerName(context) });
  const body = await runAndWait(context, repository, delivery, start);
  await noteSync(context, repository);
  return { status: 202, body };
};

/** Syncs a branch on request. Refuses with REPOSITORY_UNKNOWN if no site uses the repository, with BODY_INVALID if no host can show it. */
export const syncCode: BuildOperation<BuildManagementEndpoints['syncCode']> = async (context, { params, body }) => {
  const repository = await findRepository(context, params);
  requireReady(repository, 'Code is synchronized only from a READY repository.');
  await requireBranch(context, repository, body.branch);
  const delivery: Delivery = {
    ...newDelivery(context, 'sync code'),
    changes: [{ branch: body.branch, type: 'updated' }],
    user: callerName(context),
  };
  const run = await runAndWait(context, repository, delivery, () => context.store.deliveries.add(repository.id, delivery));
  if (run.outcome !== 'ignored') {
    await noteSync(context, repository, body.branch);
    return { status: 202, body: run };
  }
  // Only the configuration service knows whether a site uses the repository, and answers that to the report.
  await context.store.deliveries.remove(delivery.id);
  const detail = run.detail ?? NO_SITE;
  throw detail === NO_SITE ? new Refusal('REPOSITORY_UNKNOWN', detail) : invalidBranch(detail);
};

/** Recorded afterwards, as in the service: the trail never reports a sync that did not start. */
async function noteSync(context: BuildContext, { id, org }: StoredRepository, branch?: string): Promise<void> {
  await context.store.repositories.note(id, noteOf(context, org, { action: 'sync-repository', ...(branch !== undefined && { branch }) }));
  context.trailForwarder.start();
}

function invalidBranch(detail: string): Refusal {
  return new Refusal('BODY_INVALID', detail, { errors: [{ pointer: '/branch', detail }] });
}

/** Refuses with BRANCH_NOT_FOUND, BODY_INVALID or REPOSITORY_UNREACHABLE: a requested sync that can do nothing is not started. */
async function requireBranch(context: BuildContext, repository: StoredRepository, branch: string): Promise<void> {
  if (sanitizeRef(branch) === '') throw invalidBranch(branchProblem(branch));
  await refreshOrRefuse(context, repository, 0);
  if ((await context.objects.find(context.mirrors.pathOf(repository), `refs/heads/${branch}`)) !== undefined) return;
  throw new Refusal('BRANCH_NOT_FOUND', `The repository "${repository.name}" has no branch "${branch}" at the git vendor.`, {
    data: { branch },
  });
}

/** A person waits for the outcome of the single attempt. Nothing is stored if it is refused because too many are waiting. */
async function runAndWait(
  context: BuildContext,
  repository: StoredRepository,
  delivery: Delivery,
  start: () => Promise<unknown>,
): Promise<Delivery> {
  await context.vendorCalls.run(repository.org, async () => {
    await start();
    await runDelivery(context, repository, delivery);
  });
  return (await context.store.deliveries.find(repository.id, delivery.id)) ?? delivery;
}
