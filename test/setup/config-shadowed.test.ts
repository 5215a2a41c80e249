import { expect, it } from 'vitest';
import { settingFindings as german } from '#extension/messages/de/setting-findings.ts';
import { settingFindings as english } from '#extension/messages/en/setting-findings.ts';

it.each([
  ['English', english, [/hosts of this service ignore it/, /hosts of the public service it hides/]],
  ['German', german, [/Hosts dieses Dienstes beachten sie nicht/, /Hosts des öffentlichen Dienstes verdeckt sie/]],
])('a config.json in the repository is said to hide the configuration on those hosts alone that serve it: %s', (_, messages, said) => {
  const { consequence } = messages['config-shadowed'].otherwise();
  for (const part of said) expect(consequence).toMatch(part);
});
