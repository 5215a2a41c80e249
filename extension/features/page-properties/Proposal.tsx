import type { Choices } from '@repoless/core/situation/situation.ts';
import { Breakable } from '../../ui/Breakable.tsx';
import { useMessages } from '../../ui/use-messages.ts';

/** The proposed settings. Hidden while the form is open. */
export function Proposal({ choices }: { readonly choices: Choices }) {
  const { choices: messages } = useMessages();
  const { code } = choices;
  const repository = code.type === 'byogit' ? code.url : [code.owner, code.repo].filter((part) => part !== '').join('/');
  const rows = [
    [messages.organization, choices.organization],
    [messages.siteName, choices.siteName],
    [messages.configurationPage, choices.configurationPage],
    [messages.codeRepo, repository],
    [messages.administrators, choices.administrators.join(', ')],
    [messages.technicalAccount, choices.technicalAccount],
  ] as const;
  return (
    <dl className="rp-settings rp-proposal">
      {rows.map(([name, value]) =>
        value === '' ? null : (
          <div key={name}>
            <dt>{name}</dt>
            <dd className="rp-value">
              <Breakable text={value} />
            </dd>
          </div>
        ),
      )}
    </dl>
  );
}
