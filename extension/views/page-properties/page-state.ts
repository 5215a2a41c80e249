import type { Judgement } from '#extension/setup/judge-situation.ts';
import type { Plan } from '#extension/setup/plan.ts';
import { STATE_TONES } from '#extension/setup/site-states.ts';
import type { Messages } from '#extension/messages/language.ts';
import type { Tone } from './step-view.ts';

interface PageState {
  readonly label: string;
  readonly tone: Tone;
}

/** The state of the page's site. */
export function pageState(messages: Messages, { state }: Judgement): PageState {
  return { label: messages.siteStates[state], tone: STATE_TONES[state] };
}

/** What was done is not read again yet: what was read before says nothing any more. */
export function unreadState(messages: Messages, reading: boolean): PageState {
  return { label: reading ? messages.plan.reading : messages.outcome.unread, tone: 'neutral' };
}

/** The organization is there on the code host and nobody has claimed it with the service. */
export function isUnclaimed(plan: Plan): boolean {
  const state = plan.steps.find((step) => step.id === 'claim-organization')?.state;
  return state?.kind === 'blocked' && state.reason === 'organization-not-claimed';
}
