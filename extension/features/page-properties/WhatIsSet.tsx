import { EDGE_CONFIGURATION } from '@repoless/contract/authoring.ts';
import type { Messages } from '@repoless/core/messages/language.ts';
import type { Situation, Source } from '@repoless/core/situation/situation.ts';
import { Breakable } from '../../ui/Breakable.tsx';
import { useMessages } from '../../ui/use-messages.ts';

/** What the author set in the authoring system, each value with where it comes from. */
export function WhatIsSet({ situation }: { readonly situation: Situation }) {
  const messages = useMessages();
  const { settings } = situation;
  const { rows, unset } = settingRows(messages, situation);
  return (
    <section className="rp-card" aria-labelledby="rp-what-is-set">
      <h2 id="rp-what-is-set">{messages.settings.title}</h2>
      <dl className="rp-settings">
        {rows.map((row) => (
          <div key={row.key}>
            <dt>{row.name}</dt>
            <dd>
              <span className="rp-value">
                <Breakable text={row.value} />
              </span>
              <span className="rp-source">{row.source}</span>
            </dd>
          </div>
        ))}
      </dl>
      {unset.length > 0 && <p className="rp-quiet">{messages.settings.unset({ names: unset.join(', ') })}</p>}
      {settings.liveCopyOf !== undefined && <p className="rp-quiet">{messages.settings.liveCopy({ of: settings.liveCopyOf })}</p>}
    </section>
  );
}

interface SettingRow {
  readonly key: string;
  readonly name: string;
  readonly value: string;
  readonly source: string;
}

/** Each setting of the authoring system with its value and, in words, where it was read; and the names of those without a value. */
function settingRows(
  messages: Messages,
  { settings, info }: Situation,
): { readonly rows: readonly SettingRow[]; readonly unset: readonly string[] } {
  const { names, sources } = messages.settings;
  const keys = [
    'projectType',
    'organization',
    'siteName',
    'configurationPage',
    'technicalAccount',
    'cloudConfiguration',
    'deliveryAddress',
  ] as const;
  const rows = keys.flatMap((key) => {
    const { value, source } = settings[key];
    if (value === undefined || source.kind === 'missing') return [];
    const shown = key === 'projectType' ? projectType(messages, value, info.repolessProjectType) : value;
    return [{ key, name: names[key], value: shown, source: printSource(sources, source) }];
  });
  return { rows, unset: keys.filter((key) => !rows.some((row) => row.key === key)).map((key) => names[key]) };
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
