import { readFile } from 'node:fs/promises';
import { expect, it } from 'vitest';
import { readSettings, SETTING_NAMES } from '#backend/config.ts';

const text = await readFile(new URL('../../docs/operations.md', import.meta.url), 'utf8');
const rows = [...text.matchAll(/^\| `([A-Z_]+)` \| (.+?) \| (.+) \|$/gm)].map(([, name = '', value = '']) => [name, value] as const);

it('explains every setting, and none that does not exist', () => {
  expect(rows.map(([name]) => name)).toEqual(SETTING_NAMES);
});

it('names the values that hold where a setting is left out', () => {
  const defaults: Readonly<Record<string, unknown>> = readSettings({});
  for (const [name, value] of rows) {
    const [, fixed] = /^`([^`<]+)`$/.exec(value) ?? [];
    const present = defaults[name];
    const isOpen = present === undefined || (Array.isArray(present) && present.length === 0) || String(present) === '[sealed]';
    expect([name, fixed]).toEqual([name, isOpen ? undefined : String(present)]);
  }
});
