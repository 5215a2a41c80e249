import { WebhookAnswer } from '@repoless/contract/build-management.ts';
import type { TestAnswer } from '../support/ask.ts';
import type { Sent } from './payloads.ts';
import type { BuildWorld } from './world.ts';

/** Sends an event to the address of a webhook, as a git vendor does. */
export async function sendEvent(world: BuildWorld, address: string, { body, headers }: Sent): Promise<TestAnswer> {
  const { pathname, search } = new URL(address);
  return await world.call('POST', `${pathname}${search}`, { as: null, body, headers });
}

/** The status, and the code of the refusal or the outcome of the event. */
export function answered(answer: TestAnswer): readonly [number, string] {
  return [answer.status, answer.headers['x-error-code'] ?? WebhookAnswer.parse(answer.json()).outcome];
}
