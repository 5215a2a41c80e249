import type { Judgement } from '@repoless/core/checks/evaluate-situation.ts';
import type { Plan } from '@repoless/core/plan/plan.ts';
import { STATE_TONES } from '@repoless/core/checks/site-states.ts';
import type { Messages } from '@repoless/core/messages/language.ts';
import type { Tone } from './step-view.ts';

interface PageState {
  readonly label: string;
  readonly tone: Tone;
}

/** The state of the page's site. */
export function pageState(messages: Messages, { state }: Judgement): PageState {
  return { label: messages.siteStates[state], tone: STATE_TONES[state] };
}

/** After a run and before the page is read again, the earlier state is no longer valid. */
export function unreadState(messages: Messages, reading: boolean): PageState {
  return { label: reading ? messages.plan.reading : messages.outcome.unread, tone: 'neutral' };
}

/** The organization exists on the code host but is not claimed. */
export function isUnclaimed(plan: Plan): boolean {
  const state = plan.steps.find((step) => step.id === 'claim-organization')?.state;
  return state?.kind === 'blocked' && state.reason === 'organization-not-claimed';
}
