import { expect, it } from 'vitest';
import { createCatalogues } from '@repoless/core/messages/catalogue.ts';

const glossary = await createCatalogues()('en').read('glossary');

const INTRODUCTION = 'The words that the interface and these pages use. The panel shows the same list under “Glossary” in its header.';

it('docs/glossary.md has the explanations of the panel: if not, run "npm run docs"', async () => {
  const entries = Object.values(glossary.entries).map(({ term, means }) => `## ${term}\n\n${means}\n`);
  const page = [`# ${glossary.title}\n`, `${INTRODUCTION}\n`, ...entries].join('\n');
  await expect(page).toMatchFileSnapshot(new URL('../../docs/glossary.md', import.meta.url).pathname);
});
