import { EDGE_CONFIGURATION } from '#contract/authoring.ts';
import type { Setting, Source } from '#extension/setup/settings.ts';
import type { Situation } from '#extension/setup/situation.ts';
import type { Words } from '#extension/words/words.ts';

export interface SettingRow {
  readonly key: string;
  readonly name: string;
  /** Absent where nothing is set. */
  readonly value?: string;
  readonly source: string;
}

/** Each setting of the authoring system with its value and, in words, where it was read. */
export function settingRows(words: Words, { settings, info }: Situation): SettingRow[] {
  const { names } = words.settings;
  const keys = [
    'projectType',
    'organization',
    'siteName',
    'configurationPage',
    'technicalAccount',
    'cloudConfiguration',
    'deliveryAddress',
  ] as const;
  return keys.map((key) => {
    const { value } = settings[key];
    const shown = key === 'projectType' ? projectType(words, value, info.repolessProjectType) : value;
    return { key, name: names[key], ...(shown === undefined ? {} : { value: shown }), source: sourceOf(words, settings[key]) };
  });
}

function projectType(words: Words, value: string | undefined, repoless: string): string | undefined {
  if (value === undefined) return undefined;
  return value === repoless ? words.settings.repoless : words.settings.otherProjectType(value);
}

function sourceOf(words: Words, { value, source }: Setting): string {
  const { sources } = words.settings;
  return value === undefined ? sources.missing() : printSource(sources, source);
}

function printSource(sources: Words['settings']['sources'], source: Source): string {
  switch (source.kind) {
    case 'page':
      return sources.page(source.path);
    case 'inherited':
      return sources.inherited(source.from);
    case 'configuration':
      return sources.configuration(source.path.replace(`/${EDGE_CONFIGURATION}`, '').replace(/\/(?:jcr:content|_jcr_content)$/, ''));
    case 'delivery':
      return sources.delivery();
    case 'derived':
      return sources.derived();
    case 'missing':
      return sources.missing();
    default:
      return source satisfies never;
  }
}
