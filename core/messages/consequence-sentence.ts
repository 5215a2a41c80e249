import type { Consequence, ConsequenceOfSites } from '@repoless/contract/consequence.ts';
import type { MessagesOf } from './language.ts';

type Needed = Pick<MessagesOf<'access'>, 'consequences' | 'roleOf' | 'roles'>;

const NAMED = 6;

/** A consequence as a sentence: "11 sites: Without the technical account …". `about`: the subject of a consequence without sites. */
export function consequenceSentence(
  messages: Needed,
  { what, sites }: Pick<ConsequenceOfSites, 'what' | 'sites'>,
  about: 'site' | 'organization' = 'site',
): string {
  const sentence = sentenceOf(messages, what, about);
  return sites.length === 0 ? sentence : messages.consequences.sites({ count: sites.length, sentence });
}

function sentenceOf({ consequences, roleOf, roles }: Needed, what: Consequence, about: 'site' | 'organization'): string {
  const named = (people: readonly string[]): string | readonly string[] =>
    people.length <= NAMED ? people : consequences.names({ names: people.slice(0, NAMED), count: people.length - NAMED });
  switch (what.kind) {
    case 'everyone':
      return consequences.everyone({ role: roleOf[what.role], may: roles[what.role].may, through: what.through });
    case 'domain':
      return consequences.domain({ domain: what.domain, role: roleOf[what.role], may: roles[what.role].may, through: what.through });
    case 'no-administrator':
      return consequences['no-administrator'][about];
    case 'account-removed':
    case 'account-missing':
      return consequences[what.kind]({ account: what.account });
    case 'other-environment':
      return consequences['other-environment']({
        account: what.account,
        environment: what.environment,
        own: what.own,
        belongsTo: what.belongsTo,
      });
    case 'unknown-group':
    case 'group-removed':
      return consequences[what.kind]({ entry: what.entry });
    case 'people-lost':
    case 'people-gained':
      return consequences[what.kind]({ count: what.people.length, role: roleOf[what.role], people: named(what.people) });
    case 'readers-lost':
      return consequences['readers-lost']({ count: what.people.length, host: what.host, people: named(what.people) });
    case 'host-open':
    case 'host-closed':
      return consequences[what.kind]({ host: what.host });
    case 'code-replaced':
      return consequences['code-replaced']({ repository: what.repository });
    case 'yourself':
    case 'open':
    case 'stops':
    case 'pages-lost':
    case 'content-replaced':
      return consequences[what.kind];
    default:
      return what satisfies never;
  }
}
