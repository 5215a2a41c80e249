import { Problem } from '@repoless/contract/errors.ts';
import type { ErrorCode } from '@repoless/contract/errors.ts';
import { Refusal } from '../../domain/errors.ts';
import type { RemoteAnswer } from '../../remote/remote.ts';

/** Codes that mean the same here as at the service, whatever was asked. */
const ALWAYS: readonly ErrorCode[] = [
  'NOT_AUTHENTICATED',
  'NOT_AUTHORIZED',
  'BODY_INVALID',
  'ORG_NOT_FOUND',
  'RATE_LIMITED',
  'STORAGE_FULL',
];

/**
 * A refusal of the configuration service in its own words: its code where the call here may be refused with it. Pointers are
 * left out, for they lead into a body that the caller did not send.
 */
export function refusalOf({ status, body }: RemoteAnswer, codes: readonly ErrorCode[]): Refusal {
  const parsed = Problem.safeParse(readJson(body));
  if (!parsed.success) return new Refusal('SERVICE_UNREACHABLE', `The configuration service returned ${status}. Try again in a minute.`);
  const { code, detail, data } = parsed.data;
  const known = [...ALWAYS, ...codes].includes(code);
  return new Refusal(known ? code : 'SERVICE_UNREACHABLE', detail, data === undefined ? {} : { data });
}

export function readJson(body: Uint8Array): unknown {
  try {
    return JSON.parse(new TextDecoder().decode(body));
  } catch {
    return undefined;
  }
}
