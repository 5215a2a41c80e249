import type { HostDomains } from '@repoless/contract/addresses.ts';
import { checkRounds, type CheckRounds } from '../checks/check-rounds.ts';
import type { CertificateReader } from '../checks/rules/ports.ts';
import type { BranchProbe, CodeFiles, CodeSources } from '../code/rules/ports.ts';
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

/** Rules for the recipients of e-mail, from the settings. */
export function mailRules({ SMTP_URL, MAIL_DOMAINS }: Settings): MailRules {
  return { sends: SMTP_URL !== undefined, domains: MAIL_DOMAINS };
}

/** Starts to notify subscribers. */
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
  const telling = startEventDelivery({ store, mail: mailRules(settings), send, now, failed: (what, error) => log.failure(what, error) });
  return {
    wake: telling.wake,
    async close() {
      await telling.close();
      mailer?.close();
    },
  };
}

interface CheckServices {
  readonly hosts: HostDomains;
  readonly store: Store;
  readonly files: CodeFiles;
  readonly head: CodeSources['head'];
  readonly branchProbe: BranchProbe;
  readonly publicAddress: string;
  readonly certificateLook: CertificateReader;
  readonly log: Pick<Log, 'failure'>;
  now(): Date;
}

/** The service's own checks of sites, at the interval of the settings. */
export function composeChecks(settings: Settings, { log, ...services }: CheckServices): CheckRounds {
  const interval = settings.SITE_CHECK_INTERVAL * 1000;
  return checkRounds({
    ...services,
    info: serviceInfo(settings, services.hosts),
    interval,
    ...(interval > 0 && { every: LOOK_EVERY }),
    failed: log.failure,
  });
}

/** Milliseconds. */
const LOOK_EVERY = 30_000;
