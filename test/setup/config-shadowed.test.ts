import { expect, it } from 'vitest';
import { english } from '@repoless/core/messages/english.ts';
import { createCatalogues } from '@repoless/core/messages/catalogue.ts';

const german = (await createCatalogues()('de').read('site-check')).checks.sentences;

it.each([
  ['English', english['site-check'].checks.sentences, [/hosts of this service ignore it/, /hosts of the public service it hides/]],
  ['German', german, [/Hosts dieses Dienstes beachten sie nicht/, /Hosts des öffentlichen Dienstes verdeckt sie/]],
])('a config.json in the repository is said to hide the configuration on those hosts alone that serve it: %s', (_, messages, said) => {
  const { consequence } = messages['config-shadowed'].otherwise;
  for (const part of said) expect(consequence).toMatch(part);
});
