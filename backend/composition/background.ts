import { checkRounds, type CheckRounds, type CheckServices } from '../checks/check-rounds.ts';
import { serviceInfo, type Settings } from '../config.ts';
import type { Store } from '../domain/ports.ts';
import { createMailer, writeMail } from '../events/mailer.ts';
import type { MailRules } from '../events/rules/receiver.ts';
import { webhookSecretPlace } from '../events/rules/subscription-operations.ts';
import { type EventDeliveryOptions, type EventSender, type Post, sendWebhook, startEventDelivery } from '../events/start-event-delivery.ts';
import type { Log } from '../log.ts';
import type { Remote } from '../remote/remote.ts';
import type { SecretBox } from '../secrets/secret-box.ts';

interface Services {
  readonly store: Store;
  readonly remote: Remote;
  readonly box: SecretBox;
  readonly publicAddress: string;
  readonly log: Log;
  now(): Date;
}

export function mailRules({ SMTP_URL, MAIL_DOMAINS }: Settings): MailRules {
  return { sends: SMTP_URL !== undefined, domains: MAIL_DOMAINS };
}

export async function composeEventDelivery(
  settings: Settings,
  { store, remote, box, publicAddress, log, now }: Services,
): Promise<EventSender> {
  const { SMTP_URL: url, MAIL_FROM: from } = settings;
  const mailer = url === undefined || from === undefined ? undefined : await createMailer({ url, from });
  const post: Post = ({ url: address, ...request }) => remote.send({ url: address, method: 'POST', ...request });
  const send: EventDeliveryOptions['send'] = async (subscription, message, signal) => {
    const { channel } = subscription;
    switch (channel.type) {
      case 'webhook': {
        const secret = box.open(channel.sealed, webhookSecretPlace(subscription));
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
