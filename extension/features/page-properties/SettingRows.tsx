import { EDGE_CONFIGURATION } from '@repoless/contract/authoring.ts';
import type { Messages, MessagesOf } from '@repoless/core/messages/language.ts';
import type { Choices, Situation, Source } from '@repoless/core/situation/situation.ts';
import { Breakable } from '../../ui/Breakable.tsx';
import { Term } from '../../ui/use-glossary.tsx';
import { useList, useMessages } from '../../ui/use-messages.ts';

/** Each setting: its value, and a sentence on where it was read, or what the authoring system has instead. */
export function SettingRows({ situation, choices }: { readonly situation: Situation; readonly choices: Choices }) {
  const messages = useMessages('setup');
  const { settings } = situation;
  const rows = settingRows(messages, situation, choices, useList());
  const unset = rows.filter(({ value }) => value === '').map(({ name }) => name);
  return (
    <div className="rp-stack rp-proposal">
      <dl className="rp-settings">
        {rows.map(({ key, name, value, note }) =>
          value === '' ? null : (
            <div key={key}>
              <dt>
                <SettingName id={key}>{name}</SettingName>
              </dt>
              <dd>
                <span className="rp-value">
                  <Breakable text={value} />
                </span>
                {note !== '' && <span className="rp-source">{note}</span>}
              </dd>
            </div>
          ),
        )}
      </dl>
      {unset.length > 0 && <p className="rp-quiet">{messages.settings.unset({ names: unset })}</p>}
      {settings.liveCopyOf !== undefined && <p className="rp-quiet">{messages.settings.liveCopy({ of: settings.liveCopyOf })}</p>}
    </div>
  );
}

/** Settings that the glossary explains. */
const TERMS = ['configurationPage', 'technicalAccount', 'cloudConfiguration', 'deliveryAddress'] as const;

function SettingName({ id, children }: { readonly id: string; readonly children: string }) {
  const term = TERMS.find((known) => known === id);
  return term === undefined ? children : <Term id={term}>{children}</Term>;
}

interface SettingRow {
  readonly key: string;
  readonly name: string;
  readonly value: string;
  readonly note: string;
}

type SetupMessages = Messages & MessagesOf<'setup'>;

function settingRows(
  messages: SetupMessages,
  { settings, info }: Situation,
  choices: Choices,
  list: ReturnType<typeof useList>,
): readonly SettingRow[] {
  const { names, sources } = messages.settings;
  const { code } = choices;
  const setting = (key: keyof typeof names, chosen?: string): SettingRow => {
    const { value: stored, source } = settings[key];
    const value = chosen ?? stored ?? '';
    const shown = key === 'projectType' && value !== '' ? projectType(messages, value, info.repolessProjectType) : value;
    const row = { key, name: names[key], value: shown };
    if (stored === undefined || source.kind === 'missing') return { ...row, note: messages.setup.proposed };
    return { ...row, note: value === stored ? printSource(sources, source) : messages.setup.now({ value: stored }) };
  };
  const chosen = (key: 'codeRepo' | 'administrators', value: string): SettingRow => ({ key, name: messages.choices[key], value, note: '' });
  return [
    setting('projectType'),
    setting('organization', choices.organization),
    setting('siteName', choices.siteName),
    setting('configurationPage', choices.configurationPage),
    chosen('codeRepo', code.type === 'byogit' ? code.url : [code.owner, code.repo].filter((part) => part !== '').join('/')),
    chosen('administrators', list(choices.administrators)),
    setting('technicalAccount', choices.technicalAccount),
    setting('cloudConfiguration'),
    setting('deliveryAddress'),
  ];
}

function projectType(messages: Messages, value: string, repoless: string): string {
  return value === repoless ? messages.settings.repoless : messages.settings.otherProjectType({ value });
}

function printSource(sources: Messages['settings']['sources'], source: Exclude<Source, { kind: 'missing' }>): string {
  switch (source.kind) {
    case 'page':
      return sources.page({ path: source.path });
    case 'inherited':
      return sources.inherited({ from: source.from });
    case 'configuration':
      return sources.configuration({
        path: source.path.replace(`/${EDGE_CONFIGURATION}`, '').replace(/\/(?:jcr:content|_jcr_content)$/, ''),
      });
    case 'delivery':
      return sources.delivery;
    case 'derived':
      return sources.derived;
    default:
      return source satisfies never;
  }
}
