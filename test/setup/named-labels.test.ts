import { readdir, readFile } from 'node:fs/promises';
import { describe, expect, it } from 'vitest';

const MESSAGES = new URL('../../core/messages/', import.meta.url);

/** Quoted texts that are not our labels: characters, values, examples, and labels of other products. */
const NO_LABELS: ReadonlySet<string> = new Set([
  '-',
  'json.maximumresults',
  '_',
  '=',
  '/',
  '*',
  '*@domain',
  'groups/name',
  'p',
  'admin',
  'default',
  'git',
  'push',
  'preview',
  'cm-byog',
  'requireAuth',
  'x-auth-token',
  'dry run',
  'User-agent: *',
  'Disallow: /drafts',
  'Before the relaunch',
  'Vor dem Relaunch',
  'Build on main',
  'Build auf main',
  'Frame protection for all shops',
  'Schutz vor Einbettung für alle Shops',
  'Code pushed',
  'Push events',
  'Repository push',
  'Secret token',
  'Authentication',
  'inherited',
  'main',
  'service',
  'site',
]);

const QUOTED = { en: /“([^”{]+)”/g, de: /„([^“{]+)“/g } as const;
const withoutDots = (text: string): string => text.replace(/\s*…$/, '');

describe.each(['en', 'de'] as const)('the messages in %s', (locale) => {
  it('send nobody to a label that there is not', async () => {
    const folder = new URL(`${locale}/`, MESSAGES);
    const files = (await readdir(folder)).filter((file) => file.endsWith('.json') && file !== 'service.json');
    const texts = (await Promise.all(files.map(async (file) => textsIn(JSON.parse(await readFile(new URL(file, folder), 'utf8')))))).flat();
    const labels = new Set(texts.map(withoutDots));
    const named = texts.flatMap((text) => [...text.matchAll(QUOTED[locale])].map(([, name = '']) => withoutDots(name)));
    expect(named.length).toBeGreaterThan(100);
    expect(named.filter((name) => !labels.has(name) && !NO_LABELS.has(name))).toEqual([]);
  });
});

/** Every text of a file of messages. */
function textsIn(messages: unknown): string[] {
  return typeof messages === 'string' ? [messages] : Object.values(Object(messages)).flatMap(textsIn);
}
