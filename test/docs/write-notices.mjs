// `npm run notices`: writes THIRD-PARTY-NOTICES.md from the lock file and the installed packages.
import { readFile, readdir, writeFile } from 'node:fs/promises';

const ROOT = new URL('../../', import.meta.url);
const LONGEST = 200;

const { packages } = JSON.parse(await readFile(new URL('package-lock.json', ROOT), 'utf8'));
const shipped = Object.entries(packages).filter(
  ([folder, { dev, link }]) => folder.includes('node_modules/') && dev !== true && link !== true,
);
const rows = await Promise.all(shipped.map(([folder, locked]) => rowOf(folder, locked)));
const lines = [...new Set(rows)].toSorted((one, other) => (one.toLowerCase() < other.toLowerCase() ? -1 : 1));
await writeFile(
  new URL('THIRD-PARTY-NOTICES.md', ROOT),
  `# Third-party notices

<!-- Made by \`npm run notices\` from the lock file and the packages that are installed. Do not edit. -->

The packages that are part of what is run or served: name, version, licence, whose it is, and the file of the package that has the
licence's text. Those without such a file are for platforms other than the one that made this page, or bring none. Packages that
are used to build and test alone are left out. \`npm run sbom\` writes what an installation consists of as a bill of materials (CycloneDX).

| Package | Version | Licence | Copyright | Text |
| --- | --- | --- | --- | --- |
${lines.join('\n')}
`,
);

async function rowOf(folder, { version, license }) {
  const name = folder.slice(folder.lastIndexOf('node_modules/') + 'node_modules/'.length);
  const directory = new URL(`${folder}/`, ROOT);
  const file = (await readdir(directory).catch(() => [])).find((one) => /^(?:licen[cs]e|copying)/i.test(one));
  const text = file === undefined ? '' : await readFile(new URL(file, directory), 'utf8').catch(() => '');
  const manifest = JSON.parse(await readFile(new URL('package.json', directory), 'utf8').catch(() => '{}'));
  const cells = [
    name,
    version,
    license ?? manifest.license ?? 'see its text',
    ownerOf(text, manifest),
    file === undefined ? '' : `${folder}/${file}`,
  ];
  return `| ${cells.map(plain).join(' | ')} |`;
}

/** The first copyright line that names a holder, or else the author of the package. */
function ownerOf(text, { author }) {
  const named = text
    .split('\n')
    .find((line) => /^\W*copyright\b.*(?:\d{4}|\(c\)|©)/i.test(line) && !line.includes('[yyyy]') && !/owner or entity/i.test(line));
  return named ?? (typeof author === 'string' ? author : author?.name) ?? '';
}

/** Text for a table cell: no line breaks, bars, markup or e-mail addresses. */
function plain(text) {
  return text
    .replaceAll(/<[^>]*>|\([^)]*https?:[^)]*\)/g, '')
    .replaceAll(/[*|`\s]+/g, ' ')
    .trim()
    .slice(0, LONGEST);
}
