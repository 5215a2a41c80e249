import { existsSync } from 'node:fs';
import { readFile } from 'node:fs/promises';
import { expect, it } from 'vitest';

const PAGE = 'docs/security/asvs.md';
const page = await readFile(PAGE, 'utf8');

/** How many requirements of level 1 and 2 each section of ASVS 5.0.0 has; those of level 3 come after them. */
const SECTIONS = `
  1.1:2 1.2:9 1.3:11 1.4:3 1.5:2 2.1:3 2.2:3 2.3:4 2.4:1 3.2:2 3.3:4 3.4:6 3.5:5 3.7:2 4.1:3 4.2:1 4.3:2 4.4:4
  5.1:1 5.2:3 5.3:2 5.4:3 6.1:3 6.2:12 6.3:4 6.4:4 6.5:5 6.6:3 6.8:4 7.1:3 7.2:4 7.3:2 7.4:5 7.5:2 7.6:2 8.1:2
  8.2:3 8.3:1 8.4:1 9.1:3 9.2:4 10.1:2 10.2:2 10.3:4 10.4:11 10.5:5 10.6:2 10.7:3 11.1:2 11.2:3 11.3:3 11.4:4
  11.5:1 11.6:1 12.1:3 12.2:2 12.3:4 13.1:1 13.2:5 13.3:2 13.4:5 14.1:2 14.2:4 14.3:3 15.1:3 15.2:3 15.3:7 16.1:1
  16.2:5 16.3:4 16.4:3 16.5:3 17.1:1 17.2:4 17.3:2`
  .trim()
  .split(/\s+/)
  .map((one) => one.split(':'));
const VERDICTS = ['holds', 'does not apply', "the operator's", 'open'];

const rows = page
  .split('\n')
  .filter((line) => line.startsWith('| V'))
  .map((line) => {
    const [, number = '', level = '', about = '', verdict = '', proof = ''] = line.split('|').map((cell) => cell.trim());
    return { number, level, about, verdict, proof };
  });

it('has one line for each requirement of level 1 and 2, in their order', () => {
  const all = SECTIONS.flatMap(([section = '', count = '']) =>
    Array.from({ length: Number(count) }, (_, index) => `V${section}.${index + 1}`),
  );
  expect(all).toHaveLength(253);
  expect(rows.map(({ number }) => number)).toEqual(all);
  expect(rows.filter(({ level }) => level === '1')).toHaveLength(70);
});

it('has a verdict and a reason in each line, and counts them', () => {
  for (const { number, level, about, verdict, proof } of rows) {
    expect(['1', '2'], number).toContain(level);
    expect(VERDICTS, number).toContain(verdict);
    expect([number, about !== '', proof !== '']).toEqual([number, true, true]);
  }
  const [holds, not, operators, open] = VERDICTS.map((verdict) => rows.filter((row) => row.verdict === verdict).length);
  expect(page).toContain(`Of ${rows.length} requirements ${holds} hold, ${not} do not apply, ${operators} are the operator's`);
  expect(page).toContain(`and ${open} are open`);
});

it('proves what holds by files that exist', () => {
  for (const { number, verdict, proof } of rows) {
    const files = [...proof.matchAll(/`(\w[\w./-]*\.(?:tsx?|md|json))`/g)]
      .map(([, file = '']) => file)
      .filter((file) => file.includes('/') || OF_THE_ROOT.has(file));
    expect(
      files.filter((file) => !existsSync(file)),
      number,
    ).toEqual([]);
    if (verdict === 'holds' && !WITHOUT_FILES.has(number)) expect(files, number).not.toEqual([]);
  }
});

const OF_THE_ROOT = new Set(['package-lock.json', 'tsconfig.base.json']);
/** What holds by another line of the page, or by the language. */
const WITHOUT_FILES = new Set(['V1.4.1', 'V12.1.2']);

it('quotes names that the tests have', async () => {
  for (const { number, proof } of rows) {
    for (const [, file = '', name = ''] of proof.matchAll(/`(test\/[\w./-]+)` "([^"]+)"/g)) {
      expect(await readFile(file, 'utf8'), `${number} ${file}`).toContain(name);
    }
  }
});
