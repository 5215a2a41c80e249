import type { HostedAccess } from '#contract/build-management.ts';
import type { external } from '#extension/messages/en/external.ts';

/** What git needs to sign in, each to be copied. */
export function hostedRows(messages: (typeof external)['hosted'], { cloneUrl, username, accessToken }: HostedAccess) {
  return [
    { name: messages.cloneUrl, value: cloneUrl, copy: messages.copyCloneUrl },
    { name: messages.username, value: username, copy: messages.copyUsername },
    { name: messages.accessToken, value: accessToken, copy: messages.copyAccessToken },
  ];
}
