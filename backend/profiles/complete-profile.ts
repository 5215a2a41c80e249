import { externalSource } from '@repoless/contract/code-source.ts';
import type { Profile, ProfileInput } from '@repoless/contract/site.ts';
import { canonical } from '../domain/canonical.ts';
import type { DomainSettings } from '../domain/context.ts';
import { Refusal } from '../domain/errors.ts';
import { withoutValues } from '../secrets/take-secrets.ts';
import { headerErrors } from '../sites/header-errors.ts';
import { refuseErrors } from '../sites/check-site.ts';
import { completeCode, completeContent } from '../sites/complete-site.ts';

/**
 * Makes of what a client sent what is stored. Nothing is required of a profile; what each of its sites needs is checked of
 * both together. A profile holds no secret: of all sites of a repository one alone does.
 */
export function completeProfile(
  name: string,
  input: ProfileInput,
  times: { readonly created: string; readonly now: string },
  settings: Pick<DomainSettings, 'codeHost'>,
): Profile {
  const code = input.code === undefined ? undefined : completeCode(input.code, settings.codeHost);
  const content = input.content === undefined ? undefined : completeContent(input.content);
  refuseErrors([...(code?.errors ?? []), ...(content?.errors ?? []), ...headerErrors(input.headers)]);
  if (externalSource(code?.code)?.secretId !== undefined) throw secretInProfile();
  return canonical({
    ...input,
    ...withoutValues(input),
    version: 1,
    name,
    created: times.created,
    lastModified: times.now,
    ...(code === undefined ? {} : { code: code.code }),
    ...(content === undefined ? {} : { content: content.content }),
  } satisfies Profile);
}

function secretInProfile(): Refusal {
  const sentence = 'Omit secretId: a profile cannot hold a secret. The first site of the repository holds it, and the others use it.';
  return new Refusal('SECRET_NOT_ALLOWED', sentence, { errors: [{ pointer: '/code/source/secretId', detail: sentence }] });
}
