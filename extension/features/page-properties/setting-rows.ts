import { EDGE_CONFIGURATION } from '@repoless/contract/authoring.ts';
import type { Source } from '@repoless/core/situation/settings.ts';
import type { Situation } from '@repoless/core/situation/situation.ts';
import type { Messages } from '@repoless/core/messages/language.ts';

export interface SettingRow {
  readonly key: string;
  readonly name: string;
  readonly value: string;
  readonly source: string;
}

/** Each setting of the authoring system with its value and, in words, where it was read; and the names of those without a value. */
export function settingRows(
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
