import { readFile } from 'node:fs/promises';
import { expect, it } from 'vitest';
import { AUDIT_ACTIONS } from '@repoless/contract/audit.ts';
import { readSettings, SECRET_SETTINGS, SETTING_NAMES } from '@repoless/service/config.ts';

const text = await readFile(new URL('../../docs/operations.md', import.meta.url), 'utf8');
const rows = [...text.matchAll(/^\| `([A-Z0-9_]+)` \| (.+?) \| (.+) \|$/gm)].map(([, name = '', value = '']) => [name, value] as const);

it('explains every setting, and none that does not exist', () => {
  expect(rows.map(([name]) => name)).toEqual(SETTING_NAMES);
});

it('names the values that hold where a setting is left out', () => {
  const defaults: Readonly<Record<string, unknown>> = readSettings({});
  for (const [name, value] of rows) {
    const [, fixed] = /^`([^`<]+)`$/.exec(value) ?? [];
    const present = printed(defaults[name]);
    const isOpen = present === '' || present === '[sealed]';
    expect([name, fixed]).toEqual([name, isOpen ? undefined : present]);
  }
});

it('names every secret that may be in a file', () => {
  const [, named = ''] = /Secrets may be in files[^(]*\(([^)]+)\)/.exec(text) ?? [];
  expect(named.split(/,\s+/)).toEqual(SECRET_SETTINGS.map((name) => `\`${name}\``));
});

it('explains every action of the audit trail', () => {
  const actions = [...text.matchAll(/^\| `([a-z<>-]+)` \| (.+) \|$/gm)].map(([, name, meaning]) => [name, meaning]);
  expect(actions).toEqual(Object.entries(AUDIT_ACTIONS));
});

/** A value in the table's notation: lists with commas, empty if not set, sealed values as they print themselves. */
function printed(value: unknown): string {
  return [value].flat().join(',');
}
