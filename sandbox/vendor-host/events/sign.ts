import { createHmac } from 'node:crypto';
import { z } from 'zod';
import { azurePush } from './azure-push.ts';
import { bitbucketPush } from './bitbucket-push.ts';
import { githubPush } from './github-push.ts';
import { gitlabPush } from './gitlab-push.ts';
import type { Pushed, ShapedEvent } from './pushed.ts';

/** In whose form a webhook is sent. `gitlab` shows its secret token, `gitlab-signed` signs with it. */
export const VendorForm = z.enum(['github-enterprise', 'bitbucket', 'gitlab', 'gitlab-signed', 'azure-devops']);
export type VendorForm = z.infer<typeof VendorForm>;

export interface SignedEvent {
  readonly headers: Readonly<Record<string, string>>;
  readonly body: string;
}

const SHAPES: Readonly<Record<VendorForm, (pushed: Pushed) => ShapedEvent>> = {
  'github-enterprise': githubPush,
  bitbucket: bitbucketPush,
  gitlab: gitlabPush,
  'gitlab-signed': gitlabPush,
  'azure-devops': azurePush,
};

/** A push in the form of a vendor, signed as that vendor does. `username` is for basic credentials alone. */
export function signedPush(form: VendorForm, pushed: Pushed, { secret, username }: { secret: string; username: string }): SignedEvent {
  const { headers, body } = SHAPES[form](pushed);
  const text = JSON.stringify(body);
  const signature = signatureHeaders(form, text, { secret, username, id: pushed.id, time: pushed.time });
  return { headers: { 'content-type': 'application/json', ...headers, ...signature }, body: text };
}

export function signatureHeaders(
  form: VendorForm,
  body: string,
  { secret, username, id, time }: { secret: string; username: string; id: string; time: Date },
): Record<string, string> {
  const hex = () => `sha256=${createHmac('sha256', secret).update(body).digest('hex')}`;
  switch (form) {
    case 'github-enterprise':
      return { 'x-hub-signature-256': hex() };
    case 'bitbucket':
      return { 'x-hub-signature': hex() };
    case 'gitlab':
      return { 'x-gitlab-token': secret };
    case 'gitlab-signed': {
      const timestamp = String(Math.floor(time.getTime() / 1000));
      const key = Buffer.from(secret.replace(/^whsec_/, ''), 'base64');
      const signature = createHmac('sha256', key).update(`${id}.${timestamp}.${body}`).digest('base64');
      return { 'webhook-id': id, 'webhook-timestamp': timestamp, 'webhook-signature': `v1,${signature}` };
    }
    case 'azure-devops':
      return { authorization: `Basic ${Buffer.from(`${username}:${secret}`).toString('base64')}` };
    default:
      return form satisfies never;
  }
}
