import { LIMITS } from '@repoless/contract/limits.ts';
import type { SealedValue } from '@repoless/contract/sealed-value.ts';
import type { Sent } from './sent.ts';

export interface Mail {
  /** The same at each attempt; `Message-ID` is made of it. */
  readonly id: string;
  readonly to: string;
  readonly subject: string;
  readonly text: string;
}

export interface Mailer {
  /** Takes no longer than `LIMITS.mailTime`, and ends when the signal says so. Never rejects for what the mail server does. */
  send(mail: Mail, signal: AbortSignal): Promise<Sent>;
  close(): void;
}

/** Sends e-mail by any SMTP server. In: its address with user and password, and who it is from. Loaded where there is such a server. */
export async function createMailer({ url, from }: { readonly url: SealedValue; readonly from: string }): Promise<Mailer> {
  const { createTransport } = await import('nodemailer');
  const transport = createTransport({
    url: url.reveal(),
    connectionTimeout: TIMEOUT,
    greetingTimeout: TIMEOUT,
    socketTimeout: TIMEOUT,
    disableFileAccess: true,
    disableUrlAccess: true,
  });
  const domain = from.slice(from.lastIndexOf('@') + 1).replaceAll(/[^A-Za-z0-9.-]/g, '');
  return {
    async send({ id, to, subject, text }, signal) {
      // The timeouts of the transport are those of silence.
      const late = new AbortController();
      const timer = setTimeout(() => late.abort(), LIMITS.mailTime);
      try {
        await transport.sendMail({
          from,
          to: { name: '', address: to },
          subject,
          text,
          messageId: `<${id}@${domain}>`,
          headers: { 'auto-submitted': 'auto-generated' },
          signal: AbortSignal.any([signal, late.signal]),
        });
        return { status: undefined, problem: undefined };
      } catch (error) {
        if (late.signal.aborted) return { status: undefined, problem: `${NOT_TAKEN} within ${LIMITS.mailTime / 1000} seconds.` };
        return { status: statusOf(error), problem: `${NOT_TAKEN}.` };
      } finally {
        clearTimeout(timer);
      }
    },
    close: () => transport.close(),
  };
}

/** The reply of the mail server. Its text may repeat private data. */
function statusOf(error: unknown): number | undefined {
  const code = error instanceof Error && 'responseCode' in error ? error.responseCode : undefined;
  return typeof code === 'number' ? code : undefined;
}

const NOT_TAKEN = 'The mail server did not accept it';
/** Milliseconds that the mail server may be silent. */
const TIMEOUT = 10_000;
