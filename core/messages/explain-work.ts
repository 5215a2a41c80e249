import type { PlanPeople, PlanWork } from '../plan/plan-work.ts';
import type { Target } from '../situation/situation.ts';
import type { Messages } from './language.ts';

export interface ExplainedWork {
  readonly button: string;
  /** A sentence: what will be different afterwards. */
  readonly sentence: string;
  /** One sentence for each consequence for people. */
  readonly people: readonly string[];
}

interface Context {
  readonly target: Target;
  readonly people: PlanPeople;
  /** The e-mail address of the signed-in person; undefined if unknown. */
  readonly caller: string | undefined;
  readonly locale: string;
}

/** The button of a plan and the text above it; undefined if there is nothing to do. */
export function explainWork(messages: Messages, work: PlanWork, { target, people, caller, locale }: Context): ExplainedWork | undefined {
  const texts = messagesOf(messages, work, target, locale);
  return texts === undefined ? undefined : { ...texts, people: peopleSentences(messages, people, caller, locale) };
}

function messagesOf(
  { work: messages, steps }: Messages,
  work: PlanWork,
  { siteName, organization }: Target,
  locale: string,
): Omit<ExplainedWork, 'people'> | undefined {
  const { buttons } = messages;
  const enabled = organization === '' ? messages.chooseFirst : messages.enabled({ site: siteName, organization });
  switch (work.kind) {
    case 'nothing':
    case 'unknown':
      return undefined;
    case 'verify':
      return { button: buttons.verify, sentence: messages.verified };
    case 'single':
      return { button: steps[work.step].title, sentence: messages.afterwards({ outcomes: messages.outcomes[work.step] }) };
    case 'repair': {
      const outcomes = inOneSentence(
        work.steps.map((step) => messages.outcomes[step]),
        locale,
      );
      return { button: buttons.repair({ differences: work.steps.length }), sentence: messages.afterwards({ outcomes }) };
    }
    case 'finish':
      return { button: buttons.finish({ steps: work.open }), sentence: enabled };
    case 'enable':
      return { button: buttons.enable, sentence: enabled };
    default:
      return work satisfies never;
  }
}

function peopleSentences(
  { work: { people: messages } }: Messages,
  people: PlanPeople,
  caller: string | undefined,
  locale: string,
): string[] {
  const isCaller = (name: string): boolean => name.toLowerCase() === caller?.toLowerCase();
  const { added, removed } = people.administrators;
  const list = (names: readonly string[], sentence: (values: { readonly names: string }) => string): string[] =>
    names.length === 0 ? [] : [sentence({ names: inOneSentence(names, locale) })];
  const others = (names: readonly string[]): readonly string[] => names.filter((name) => !isCaller(name));
  return [
    ...(people.claims === undefined ? [] : [messages.claims({ organization: people.claims })]),
    ...(added.some(isCaller) ? [messages.addsYou] : []),
    ...list(others(added), messages.adds),
    ...(removed.some(isCaller) ? [messages.removesYou] : []),
    ...list(others(removed), messages.removes),
    ...list(people.publishers, messages.publishes),
  ];
}

function inOneSentence(parts: readonly string[], locale: string): string {
  return new Intl.ListFormat(locale, { type: 'conjunction' }).format(parts);
}
