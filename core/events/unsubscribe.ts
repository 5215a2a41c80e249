import { anyOf, failureUnlessMissing } from '../run/failures.ts';
import type { Failure } from '../situation/situation.ts';
import type { EventsPort } from './events-port.ts';

/** Removes a recipient. Out: why not, undefined where it is not there any more: an answer that was lost is looked for. */
export async function unsubscribe(
  port: Pick<EventsPort, 'unsubscribe' | 'subscriptions'>,
  org: string,
  id: string,
): Promise<Failure | undefined> {
  const answer = await port.unsubscribe(org, id);
  const failure = answer.state === 'failed' ? answer.failure : undefined;
  return failureUnlessMissing(failure, async () => anyOf(await port.subscriptions(org), (one) => one.id === id));
}
