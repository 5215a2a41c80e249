import { REPOSITORY_SECRET, SecretValue } from '@repoless/contract/secret.ts';
import { blockedByFailure } from './blocked-by-failure.ts';
import { blocked } from './plan-steps.ts';
import type { Call, Step } from './plan.ts';
import type { Choices } from '../situation/settings.ts';
import type { Situation } from '../situation/situation.ts';

/**
 * Stores the secret of an external repository with its first site (call 6); no step for any other site. An existing secret stays unless another
 * one was pasted.
 */
export function secretSteps({ secret, site }: Pick<Situation, 'secret' | 'site'>, choices: Choices): Step[] {
  const id = 'store-secret';
  if (choices.code.type !== 'byogit' || !choices.code.holdsSecret) return [];
  const pasted = choices.secret;
  if (pasted !== undefined) {
    const problem = SecretValue.safeParse(pasted.reveal()).error?.issues[0]?.message;
    if (problem !== undefined) return [{ id, state: blocked('secret-invalid', { problem }) }];
    return [{ id, state: { kind: 'create' }, call: secretCall(choices) }];
  }
  if (secret?.state === 'known') return [{ id, state: { kind: 'done' } }];
  if (secret?.state === 'failed') return [{ id, state: blockedByFailure(secret.failure) }];
  // Build management links registered sites alone, and so has no secret for another.
  const registered = site.state === 'missing' ? 'no' : 'yes';
  return [{ id, state: blocked('secret-missing', { site: choices.siteName, registered }) }];
}

function secretCall({ organization, siteName, secret }: Choices): Call {
  const address = `/config/${organization}/sites/${siteName}/secrets/${REPOSITORY_SECRET}.json`;
  return { target: 'service', method: 'POST', address, ...(secret === undefined ? {} : { body: { type: 'secret', value: secret } }) };
}
