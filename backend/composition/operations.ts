import type { HostDomains } from '@repoless/contract/addresses.ts';
import { allowedAuthor } from '@repoless/contract/authoring.ts';
import { LIMITS } from '@repoless/contract/limits.ts';
import { LRUCache } from 'lru-cache';
import { Refusal } from '@repoless/contract/refusal.ts';
import { apiKeyOperations } from '../access/api-key-operations.ts';
import { siteTokenOperations } from '../access/site-token-operations.ts';
import { checkOperations } from '../checks/check-operations.ts';
import { type CheckRounds, checkRounds, type CheckServices } from '../checks/check-rounds.ts';
import { codeOperations } from '../code/rules/code-operations.ts';
import type { CodeSync } from '../code/start-code-sync.ts';
import { operatorsOf, serviceInfo, type Settings } from '../config.ts';
import { createPathProbe } from '../delivery/answer-path.ts';
import type { PageServices } from '../delivery/page-answer.ts';
import type { Context } from '../domain/context.ts';
import { eventOperations } from '../events/rules/event-operations.ts';
import { proxyOperations } from '../http/authoring-proxy.ts';
import { operatorOperations } from '../http/operator-operations.ts';
import { serviceOperations } from '../http/service-operations.ts';
import { sessionOperations } from '../http/session/session-operations.ts';
import { type TableOperations, tableOperations } from '../http/table-operations.ts';
import { getServiceState } from '../operators/get-service-state.ts';
import { createAuthors } from '../remote/authors.ts';
import { createIdentityProvider } from '../remote/identity-provider.ts';
import type { Remote } from '../remote/remote.ts';
import { createTrustedIssuers } from '../remote/trusted-issuers.ts';
import { rolloutOperations } from '../rollouts/rules/rollout-operations.ts';
import type { SecretBox } from '../secrets/secret-box.ts';
import type { Tokens } from '../sessions/tokens.ts';
import { statusOperations } from '../sites/get-status.ts';
import type { Assistant } from './assistant.ts';
import type { Front } from './front.ts';
import type { IdentityProvider } from '../sessions/sign-in.ts';
import type { Store } from '../domain/ports.ts';
import { createMailer, writeMail } from '../events/mailer.ts';
import { webhookSecretLocation, type MailRules } from '../events/rules/subscription-operations.ts';
import { type EventDeliveryOptions, type EventSender, type Post, sendWebhook, startEventDelivery } from '../events/start-event-delivery.ts';
import type { Log } from '../log.ts';

interface Services {
  readonly front: Front;
  readonly tokens: Tokens;
  readonly sync: Pick<CodeSync, 'runner' | 'files' | 'probe'>;
  readonly box: SecretBox;
  readonly pages: PageServices;
  readonly checks: Pick<CheckRounds, 'start'>;
  readonly assistant: Pick<Assistant<Context>, 'serveAssistant'>;
  wakeEventDelivery(): void;
  wakeRollouts(rollout: string): void;
  now(): Date;
}

/** Maximum bytes of a response of the authoring system. */
const AUTHOR_SIZE_LIMIT = 10 * 1024 * 1024;

export function composeOperations(settings: Settings, services: Services): TableOperations {
  const { front, tokens, sync, box, pages, checks, assistant, wakeEventDelivery, wakeRollouts, now } = services;
  const { publicAddress, hosts, state, program } = front;
  const { tenants, partners } = front.remotes;
  const { runner, files, probe } = sync;
  return tableOperations({
    ...sessionOperations({
      tokens,
      identityProvider: identityProvider(settings, partners),
      trustedIssuers: createTrustedIssuers(partners, settings.TRUSTED_ISSUERS, now),
      box,
      idpName: settings.IDP_NAME,
      publicAddress,
      allowedOrigins: settings.ALLOWED_ORIGINS,
      extensionIds: settings.EXTENSION_IDS,
    }),
    ...composeProxy(settings, tenants),
    ...codeOperations({
      runner,
      files,
      probe,
      webhookSecret: settings.GITHUB_WEBHOOK_SECRET,
      buildManagementKey: settings.BUILD_MANAGEMENT_KEY,
    }),
    ...apiKeyOperations(tokens, { usual: settings.API_KEY_LIFETIME, longest: settings.API_KEY_LIFETIME_LIMIT }),
    ...siteTokenOperations(tokens),
    ...eventOperations({ mail: mailRules(settings), wake: wakeEventDelivery }),
    ...statusOperations({ files, probe: createPathProbe({ code: files, pages }), hosts, publicAddress }),
    serveAssistant: assistant.serveAssistant,
    ...checkOperations(checks),
    ...rolloutOperations({ wake: wakeRollouts }),
    ...serviceOperations(serviceInfo(settings, hosts), publicAddress, state),
    ...operatorOperations<Context>({
      publicAddress,
      operators: operatorsOf(settings),
      state: (context) => getServiceState(context, program),
    }),
  });
}

export function composeProxy({ AUTHOR_TIMEOUT, AUTHOR_HOSTS: authorHosts }: Settings, remote: Remote, siteHosts?: HostDomains) {
  const authors = createAuthors(remote, { timeout: AUTHOR_TIMEOUT * 1000, sizeLimit: AUTHOR_SIZE_LIMIT, continuesTrace: true });
  return proxyOperations({ authors, authorHosts, siteHosts });
}

export function composePages(settings: Settings, remote: Remote): PageServices {
  const time = settings.CONTENT_TIME * 1000;
  return {
    authors: createAuthors(remote, { timeout: time, sizeLimit: LIMITS.pageSize }),
    time,
    token: settings.CONTENT_TOKEN,
    isKnownAuthor: knownAuthors(settings.AUTHOR_HOSTS),
  };
}

/** A token is sent only to the authors of the settings, and over HTTPS unless on this machine. Decided once for each origin. */
function knownAuthors(allowed: readonly string[]): (origin: string) => boolean {
  const known = new LRUCache<string, boolean>({ max: REMEMBERED_ORIGINS });
  return (origin) => {
    let isKnown = known.get(origin);
    if (isKnown === undefined) {
      isKnown = URL.canParse(origin) && allowedAuthor(new URL(origin).host, allowed) === origin;
      known.set(origin, isKnown);
    }
    return isKnown;
  };
}

const REMEMBERED_ORIGINS = 1000;

function identityProvider(settings: Settings, remote: Remote): IdentityProvider {
  const { IDP_ISSUER: issuer, IDP_CLIENT_ID: clientId, IDP_CLIENT_SECRET: secret, IDP_AUTHORING_AUDIENCE: audience } = settings;
  if (issuer === undefined || clientId === undefined) return { start: noIdentityProvider, finish: noIdentityProvider };
  return createIdentityProvider(remote, {
    issuer,
    clientId,
    clientSecret: secret.reveal(),
    ...(audience !== undefined && { authoringResource: audience }),
    ...(settings.IDP_DOMAINS.length > 0 && { domains: settings.IDP_DOMAINS }),
  });
}

async function noIdentityProvider(): Promise<never> {
  const sentence = 'No identity provider is set up here. Set IDP_ISSUER, IDP_CLIENT_ID and IDP_CLIENT_SECRET.';
  throw new Refusal('IDENTITY_PROVIDER_UNREACHABLE', sentence);
}

interface DeliveryServices {
  readonly store: Store;
  readonly remote: Remote;
  readonly box: SecretBox;
  readonly publicAddress: string;
  readonly log: Log;
  now(): Date;
}

function mailRules({ SMTP_URL, MAIL_DOMAINS }: Settings): MailRules {
  return { sends: SMTP_URL !== undefined, domains: MAIL_DOMAINS };
}

export async function composeEventDelivery(
  settings: Settings,
  { store, remote, box, publicAddress, log, now }: DeliveryServices,
): Promise<EventSender> {
  const { SMTP_URL: url, MAIL_FROM: from } = settings;
  const mailer = url === undefined || from === undefined ? undefined : await createMailer({ url, from });
  const post: Post = ({ url: address, ...request }) => remote.send({ url: address, method: 'POST', ...request });
  const send: EventDeliveryOptions['send'] = async (subscription, message, signal) => {
    const { channel } = subscription;
    switch (channel.type) {
      case 'webhook': {
        const secret = box.open(channel.sealed, webhookSecretLocation(subscription));
        return await sendWebhook(post, { url: channel.url, secret }, message, { now: now(), signal, address: publicAddress });
      }
      case 'email': {
        if (mailer === undefined) return { status: undefined, problem: 'The service is not set up to send e-mail (SMTP_URL).' };
        return await mailer.send({ id: message.id, to: channel.to, ...writeMail(message, publicAddress) }, signal);
      }
      default:
        return channel satisfies never;
    }
  };
  const delivery = startEventDelivery({ store, mail: mailRules(settings), send, now, failed: log.failure });
  return {
    wake: delivery.wake,
    async close() {
      await delivery.close();
      mailer?.close();
    },
  };
}

export function composeChecks(settings: Settings, services: Omit<CheckServices, 'info' | 'interval' | 'every'>): CheckRounds {
  const interval = settings.SITE_CHECK_INTERVAL * 1000;
  const info = serviceInfo(settings, services.hosts);
  return checkRounds({ ...services, info, interval, ...(interval > 0 && { every: SEARCH_EVERY }) });
}

/** Milliseconds. */
const SEARCH_EVERY = 30_000;
