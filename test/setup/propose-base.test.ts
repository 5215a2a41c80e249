import type { SiteListEntry } from '@repoless/contract/site.ts';
import { proposeBase } from '@repoless/core/sites/propose-rows.ts';
import type { NodeState } from '@repoless/core/sites/tree.ts';
import { expect, it } from 'vitest';

const AUTHOR = 'https://author-p1-e2.example.com';

function entry(name: string, root: string, repo = 'wknd', author = AUTHOR): SiteListEntry {
  return {
    name,
    path: `/config/wknd/sites/${name}.json`,
    code: { owner: 'wknd', repo, source: { type: 'github', url: `https://github.com/wknd/${repo}` } },
    content: { source: { type: 'markup', url: `${author}/bin/franklin.delivery/wknd/${name}/main`, suffix: '.html' } },
    public: { paths: { mappings: [`${root}/:/`] } },
  };
}

const SITES = [
  entry('another', '/content/another', 'another'),
  entry('fleet', '/content/fleet'),
  entry('fleet-de', '/content/fleet/de'),
  entry('fleet-fr', '/content/fleet/fr'),
  // Its code differs, so it is not a locale of another site.
  entry('fleet-it', '/content/fleet/it', 'legacy'),
  entry('wknd-prod', '/content/wknd', 'wknd', 'https://author-p3-e4.example.com'),
];
const site = (name: string) => ({ path: `/content/fleet/${name}`, state: state(name === '' ? 'fleet' : `fleet-${name}`) });
const state = (name: string): NodeState => ({ kind: 'site', site: name, state: 'differs', drifts: [] });
const none: NodeState = { kind: 'not-yet', state: 'not-set-up' };

it.each<[string, Parameters<typeof proposeBase>[0], string]>([
  ['that of most sites that are set right together, whatever the code of one is', [site('it'), site('de'), site('fr')], 'fleet'],
  ['the base itself where it is among them', [{ path: '/content/fleet', state: state('fleet') }, site('it')], 'fleet'],
  ['another than a site alone whose code may be wrong', [site('it')], 'fleet'],
  ['the one that covers a page', [{ path: '/content/fleet/es', state: { kind: 'not-yet', by: 'fleet', state: 'not-set-up' } }], 'fleet'],
  ['its twin of another author for a page that nothing covers', [{ path: '/content/wknd', state: none }], 'wknd-prod'],
])('proposes %s', (_, nodes, base) => {
  expect(proposeBase(nodes, SITES, undefined)).toBe(base);
});
