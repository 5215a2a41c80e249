import { siteAddress } from '@repoless/contract/addresses.ts';
import { packFindings } from '@repoless/core/checks/stored-findings.ts';
import type { JobStatus } from '@repoless/contract/job.ts';
import { EVALUATED_BY, type StoredFinding, SITE_STATES, type SiteState } from '@repoless/contract/site-check.ts';
import { type Site, type SiteInput, SiteListEntry } from '@repoless/contract/site.ts';
import type { Finding } from '@repoless/core/checks/finding.ts';
import { checkSite } from '@repoless/core/checks/check-site.ts';
import { evaluateSituation, joinStates, currentState, siteState, stateWithoutAuthoring } from '@repoless/core/checks/site-state.ts';
import { isComplete } from '@repoless/core/sites/organization-sites.ts';
import { codeSyncStatus, EDITOR_FILES } from '@repoless/core/go-live/gate.ts';
import { storedFindingsOf } from '@repoless/core/overview/stored-checks.ts';
import { foundState, treeStates } from '@repoless/core/sites/tree.ts';
import type { ConfigProbe, Situation } from '@repoless/core/situation/situation.ts';
import type { CheckResults } from '@repoless/service/checks/rules/ports.ts';
import { checkStoredSite, effectiveFindings, siteCheckRecord, withResults } from '@repoless/service/checks/check-stored-site.ts';
import type { Reads, StoredOrg } from '@repoless/service/domain/ports.ts';
import fc from 'fast-check';
import { expect, test } from 'vitest';
import { situation } from './situation-builder.ts';
import type { StoredSite } from '@repoless/service/sites/ports.ts';

const ROOT = '/content/summit';
const ACCOUNT = 'id@techacct.example.com';
const AUTHOR = 'https://author-p1-e2.example.com';
const { info } = situation();
const hosts = { protocol: info.protocol, preview: info.previewDomain, live: info.liveDomain } as const;
const preview = siteAddress(hosts, 'preview', { ref: 'main', site: 'summit', org: 'wknd' });
const [OLD, NEW] = ['a'.repeat(40), 'b'.repeat(40)];

/** Possible faults, by who can see them. */
const WRITTEN = ['account', 'mapping', 'address', 'content', 'group'] as const;
const SET = ['switch', 'name', 'inherits'] as const;
const SERVED = ['files', 'failed', 'behind', 'running', 'never'] as const;
const FAULTS = [...WRITTEN, ...SET, ...SERVED] as const;
type Fault = (typeof FAULTS)[number];

/** What a person may read and store; the last three concern only that person. */
interface Role {
  readonly seesHosts: boolean;
  readonly seesCode: boolean;
  readonly isSignedIn: boolean;
  readonly mayStore: boolean;
}
const EVERYTHING: Role = { seesHosts: true, seesCode: true, isSignedIn: true, mayStore: true };

type Event =
  { readonly kind: 'change'; readonly fault: Fault } | { readonly kind: 'service' } | { readonly kind: 'person'; readonly role: Role };

const role = fc.record({ seesHosts: fc.boolean(), seesCode: fc.boolean(), isSignedIn: fc.boolean(), mayStore: fc.boolean() });
const event = fc.oneof(
  fc.constantFrom(...FAULTS).map((fault): Event => ({ kind: 'change', fault })),
  fc.constant<Event>({ kind: 'service' }),
  fc.constant<Event>({ kind: 'person', role: EVERYTHING }),
  role.map((one): Event => ({ kind: 'person', role: one })),
);

function siteWith(faults: ReadonlySet<Fault>): SiteInput {
  const name = faults.has('address') ? 'other' : 'summit';
  const content = { source: { url: `${AUTHOR}/bin/franklin.delivery/wknd/${name}/main`, type: 'markup', suffix: '.html' } } as const;
  const admin = faults.has('group') ? ['groups/nobody.json'] : ['ada@example.com'];
  return {
    code: { owner: 'wknd', repo: 'summit', source: { type: 'github', url: 'https://github.com/wknd/summit' } },
    ...(faults.has('content') ? {} : { content }),
    public: {
      paths: {
        mappings: [`${ROOT}${faults.has('mapping') ? '-old' : ''}/:/`, `${ROOT}/configuration:/.helix/config.json`],
        includes: [`${ROOT}/`],
      },
    },
    access: { admin: { role: { admin, config_admin: faults.has('account') ? [] : [ACCOUNT] } } },
  };
}

function jobOf(faults: ReadonlySet<Fault>): JobStatus {
  const time = '2026-03-04T05:06:07.000Z';
  const name = 'job-2026-03-04-05-06-07-0a1b2c3d';
  const data = { phase: 'completed', owner: 'wknd', repo: 'summit', ref: 'main', branch: 'main', sha: OLD } as const;
  const common = { topic: 'code', links: { self: '' }, ...(faults.has('never') ? {} : { served: OLD }), createTime: time, data } as const;
  if (faults.has('running')) return { ...common, name, state: 'running', jobs: [] };
  if (faults.has('failed') || faults.has('never'))
    return { ...common, name, state: 'stopped', error: 'The repository does not respond.', jobs: [] };
  return { ...common, name, state: 'stopped', jobs: [] };
}

const filesOf = (faults: ReadonlySet<Fault>) => EDITOR_FILES.map((path) => [path, !faults.has('files') && !faults.has('never')] as const);

class World {
  readonly faults = new Set<Fault>();
  version = 1;
  private at = 0;
  looks: CheckResults = {};
  state: SiteState | undefined;
  /** Faults that changed since anyone who can see them last read. */
  readonly unseen = new Set<Fault>();

  get site(): StoredSite {
    const time = '2026-01-01T00:00:00.000Z';
    const config: Site = { ...siteWith(this.faults), created: time, lastModified: time, name: 'summit', version: 1 };
    return { org: 'wknd', site: 'summit', config, aggregate: config, etag: `"${this.version}"`, version: this.version };
  }

  /** The situation as this person reads it. */
  read({ seesHosts, seesCode, isSignedIn }: Role): Situation {
    const { site, faults } = this;
    const set = (value: string) => ({ value, source: { kind: 'configuration', path: '/conf/summit' } }) as const;
    const base = situation();
    const refused = { state: 'failed', failure: { kind: 'refused', status: 403 } } as const;
    const answer = { state: 'known', value: site.aggregate.public ?? {} } as const;
    const served = (tier: string): ConfigProbe =>
      seesHosts ? { address: `https://${tier}`, status: 200, answer } : { address: `https://${tier}`, status: 403, answer: refused };
    return {
      ...base,
      ...(isSignedIn ? {} : { profile: { state: 'missing' } }),
      settings: {
        ...base.settings,
        projectType: set(faults.has('switch') ? '1' : '4'),
        siteName: set(faults.has('name') ? 'else' : 'summit'),
        cloudConfiguration: faults.has('inherits')
          ? { value: '/conf/above', source: { kind: 'inherited', from: '/content' } }
          : base.settings.cloudConfiguration,
      },
      site: { state: 'known', value: { config: site.aggregate, own: site.config, etag: site.etag, version: site.version } },
      configurationPage: {
        state: 'known',
        value: { path: `${ROOT}/configuration`, resourceType: 'core/franklin/components/spreadsheet/v1/spreadsheet' },
      },
      preview: served('preview'),
      live: served('live'),
      codeSync: seesCode ? { state: 'known', value: jobOf(faults) } : refused,
      ...(seesCode
        ? {
            repository: {
              state: 'known',
              value: {
                type: 'github',
                owner: 'wknd',
                repo: 'summit',
                ref: 'main',
                repository: 'found',
                branch: 'found',
                sha: faults.has('behind') ? NEW : OLD,
                detail: '',
              },
            },
          }
        : {}),
      files: filesOf(faults).map(([path, exists]) => ({
        path,
        address: `${preview}${path}`,
        status: seesHosts ? (exists ? 200 : 404) : 'unreachable',
      })),
    };
  }

  change(fault: Fault): void {
    if (!this.faults.delete(fault)) this.faults.add(fault);
    if (WRITTEN.some((one) => one === fault)) this.version += 1;
    else this.unseen.add(fault);
  }

  async byService(): Promise<void> {
    const { site, faults } = this;
    const reads = {
      publicConfig: async () => ({ json: JSON.stringify({ public: site.aggregate.public }) }),
      secret: async () => undefined,
    };
    const org = { org: 'wknd', config: { name: 'wknd', users: [] } };
    const found = await checkStoredSite(
      {
        // Safe: no other reads are made of a site on the code host.
        reads: reads as unknown as Reads,
        info,
        hosts,
        code: async () => ({
          repository: 'wknd/summit',
          sync: { state: 'known', value: jobOf(faults) },
          files: new Map(faults.has('never') ? [] : filesOf(faults)),
        }),
        account: async () => this.looks.authoring?.environment?.technicalAccount,
      },
      // Safe: checks read only these properties.
      org as unknown as StoredOrg,
      site,
    );
    this.store({ service: { at: this.now(), version: site.version, findings: packFindings(found) } });
    for (const fault of SERVED) if (fault !== 'behind') this.unseen.delete(fault);
  }

  /** Reads it, and stores it if allowed. Returns what the panel and the side panel show. */
  byPerson(role: Role): { readonly state: SiteState; readonly findings: readonly Finding[] } {
    const read = this.read(role);
    const found = storedFindingsOf(read);
    if (role.mayStore && found !== undefined) {
      const { findings, ...look } = found;
      this.store({ authoring: { ...look, by: 'ada', at: this.now(), findings: packFindings(findings) } });
      for (const fault of SET) this.unseen.delete(fault);
      if (role.seesCode) for (const fault of ['failed', 'behind', 'running', 'never'] as const) this.unseen.delete(fault);
      if (role.seesHosts) this.unseen.delete('files');
    }
    return evaluateSituation(read, this.kept());
  }

  private store(looks: CheckResults): void {
    this.looks = withResults(this.looks, looks);
    this.state = siteCheckRecord(this.site, this.looks).state;
  }

  private now(): string {
    this.at += 1;
    return new Date(Date.UTC(2026, 5, 1) + this.at * 1000).toISOString();
  }

  get isSyncing(): boolean {
    return this.faults.has('running');
  }

  /** What the list, the tiles, the command line and assistants get. */
  listed(): SiteState {
    const { authoring } = this.looks;
    const state = this.state ?? siteState({ registered: true, complete: isComplete(this.site.aggregate) });
    return currentState(state, { isOutdated: authoring !== undefined && authoring.version !== this.version, isSyncing: this.isSyncing });
  }

  kept(): { readonly state: SiteState; readonly findings: StoredFinding[] } | undefined {
    return this.state === undefined ? undefined : { state: this.listed(), findings: effectiveFindings(this.looks) };
  }

  inTree(): SiteState | undefined {
    const { faults } = this;
    const own = { owner: 'wknd', repo: faults.has('name') ? 'else' : 'summit', projectType: faults.has('switch') ? '1' : '4' };
    const context = {
      author: AUTHOR,
      organization: 'wknd',
      info,
      sites: [SiteListEntry.parse({ ...this.site.aggregate, path: '/config/wknd/sites/summit.json' })],
    };
    const page = {
      path: ROOT,
      title: 'Summit',
      kind: 'page',
      hasChildren: false,
      ...(faults.has('inherits') ? {} : { ownConfiguration: '/conf/summit' }),
    } as const;
    const [node] = treeStates(context, undefined, { pages: [page], configurations: new Map([['/conf/summit', own]]) });
    return node?.state.kind === 'site' ? foundState(node, { own: new Map(), stored: new Map([[ROOT, this.listed()]]) }) : undefined;
  }
}

const wrongOf = (findings: readonly { readonly check: keyof typeof EVALUATED_BY; readonly verdict: string }[]) =>
  findings.filter(({ check, verdict }) => verdict === 'wrong' && EVALUATED_BY[check] !== 'caller').map(({ check }) => check);

test('every screen shows everyone the same state of a site, and none shows as in order what a full check finds wrong', async () => {
  await fc.assert(
    fc.asyncProperty(fc.array(event, { minLength: 1, maxLength: 12 }), async (events) => {
      const world = new World();
      for (const one of events) {
        if (one.kind === 'change') world.change(one.fault);
        else if (one.kind === 'service') await world.byService();
        else {
          const shown = world.byPerson(one.role);
          const kept = world.kept();
          if (one.role.mayStore) {
            expect({ panel: shown.state, tree: world.inTree() ?? shown.state }).toEqual({ panel: world.listed(), tree: world.listed() });
            expect(wrongOf(shown.findings)).toEqual(wrongOf(kept?.findings ?? []));
          }
          // A pipeline without the authoring system reads the site itself, so it may know an error before the service checks again.
          const pipeline = joinStates(stateWithoutAuthoring(world.read(one.role), checkSite(world.read(one.role))), kept?.state);
          if (kept !== undefined) expect(SITE_STATES.indexOf(pipeline)).toBeLessThanOrEqual(SITE_STATES.indexOf(world.listed()));
        }
        const wrong = wrongOf(checkSite(world.read(EVERYTHING)));
        if (world.unseen.size === 0) expect(world.listed() === 'in-order' ? wrong : []).toEqual([]);
      }
      await world.byService();
      const full = world.byPerson(EVERYTHING);
      const isGreen = full.state === 'in-order' || full.state === 'syncing';
      expect([isGreen && wrongOf(full.findings).length > 0, full.state]).toEqual([false, world.listed()]);
    }),
    { numRuns: 300 },
  );
});

test('a site without faults is in order for everyone, once someone has verified it', async () => {
  const world = new World();
  await world.byService();
  expect(world.listed()).toBe('changed');
  world.byPerson(EVERYTHING);
  expect([world.listed(), world.inTree()]).toEqual(['in-order', 'in-order']);
  expect(world.byPerson({ seesHosts: false, seesCode: false, isSignedIn: false, mayStore: false }).state).toBe('in-order');
});

test('an account that is removed from a site is found by the service alone, once someone has read the environment’s account', async () => {
  const world = new World();
  world.byPerson(EVERYTHING);
  world.change('account');
  expect(world.listed()).toBe('changed');
  await world.byService();
  expect([world.listed(), wrongOf(world.kept()?.findings ?? [])]).toEqual(['faulty', ['technical-account-listed']]);
});

test.each([
  ['the branch has no newer commit', ['failed'], 'note', 'in-order'],
  ['the branch has newer commits', ['failed', 'behind'], 'warning', 'in-order'],
  ['nothing is served', ['never'], 'wrong', 'faulty'],
] as const)('a failed sync is evaluated by what is served: %s', (_what, faults, verdict, state) => {
  const world = new World();
  for (const fault of faults) world.change(fault);
  const { findings } = world.byPerson(EVERYTHING);
  expect(findings.find(({ check }) => check === 'code-sync-fresh')?.verdict).toBe(verdict);
  expect(world.listed()).toBe(state);
});

test('a setup syncs again after a failed sync, unless the commit of the branch is served', () => {
  const code = { type: 'github', owner: 'wknd', repo: 'summit' } as const;
  const gate = { info, organization: 'wknd', siteName: 'summit', code, technicalAccount: ACCOUNT };
  const after = (head: string | undefined) => codeSyncStatus(gate, { job: jobOf(new Set(['failed'])), head }).state.kind;
  expect([after(OLD), after(NEW), after(undefined)]).toEqual(['done', 'verify', 'verify']);
});
