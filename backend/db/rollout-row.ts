import { RolloutSiteState, RolloutState } from '@repoless/contract/rollout.ts';
import { linked } from '../history/audit/chain.ts';
import type { RolloutChange, RolloutRecord, RolloutSiteOf, RolloutSiteRecord, StoredRollout } from '../rollouts/rules/ports.ts';
import { requireIntact } from './digest.ts';
import { document, integer, text } from './row.ts';
import type { Row } from './row.ts';
import { storableText } from './statement.ts';
import { may, must } from './write-set.ts';
import type { EffectStep } from './write-set.ts';
import type { WriteStatements } from './write-statements.ts';

/** The statements of a change of rollouts. */
export function rolloutSteps(statements: WriteStatements, change: RolloutChange): EffectStep[] {
  switch (change.kind) {
    case 'start': {
      const { org, id, started } = change.rollout;
      const sites = JSON.stringify(change.sites.map(({ site, wave }) => [site, wave]));
      const beside = new Set(change.beside);
      return [
        { kind: 'check', statement: statements.holdRollouts, args: { org }, holds: () => true },
        {
          kind: 'check',
          statement: statements.openRollouts,
          args: { org },
          holds: (rows) => rows.every((row) => beside.has(text(row, 'id'))),
        },
        must(statements.insertRollout, { ...rolloutRow(change.rollout), started }),
        must(statements.insertRolloutSites, { org, id, sites }, change.sites.length),
      ];
    }
    case 'put':
      return [must(statements.putRollout, { ...rolloutRow(change.rollout), seen: change.seen })];
    case 'site':
      return [must(statements.putRolloutSite, { ...siteRow(change.row), seen: change.seen, during: change.during })];
    case 'sites': {
      const { org, rollout, from, to, extending = '' } = change;
      return [may(statements.putRolloutSites, { org, rollout, from, to, extending })];
    }
    case 'unstick':
      return [may(statements.unstickRolloutSites, { org: change.org, rollout: change.rollout })];
  }
}

function rolloutRow(rollout: RolloutRecord) {
  const { org, id, state, title, edits, profile, waves, wave, by, requestId, started, startedBy, ended, stopped } = rollout;
  const kept = { title, edits, profile, waves, wave, by, requestId, started, startedBy, ended, stopped };
  const json = storableText(JSON.stringify(kept));
  return { org, id, state, document: json, digest: linked([org, id, json]) };
}

export function storedRollout(row: Row): StoredRollout {
  const [org, id, json] = [text(row, 'org'), text(row, 'id'), text(row, 'document')];
  // It is worked on in somebody's name: what was written past the service is not.
  requireIntact(text(row, 'digest'), linked([org, id, json]), `rollout "${id}" of "${org}"`);
  const kept = document<Omit<RolloutRecord, 'org' | 'id' | 'state'>>(json);
  return { ...kept, org, id, state: RolloutState.parse(row['state']), revision: integer(row, 'revision') };
}

function siteRow({ org, rollout, site, state, wave: _wave, worse, stuck, ...kept }: RolloutSiteRecord) {
  const judged = worse === undefined ? 0 : 1;
  const found = worse === undefined ? {} : { worse };
  const isWorse = worse !== undefined && worse.length > 0;
  const numbers = { judged, worse: isWorse ? 1 : 0, stuck: stuck === undefined ? 0 : 1 };
  return { org, rollout, site, state, ...numbers, document: JSON.stringify({ ...kept, ...found }) };
}

export function storedRolloutSite(row: Row): RolloutSiteRecord {
  return {
    ...document<Omit<RolloutSiteRecord, 'org' | 'rollout' | 'site' | 'wave' | 'state'>>(text(row, 'document')),
    org: text(row, 'org'),
    rollout: text(row, 'rollout'),
    site: text(row, 'site'),
    wave: integer(row, 'wave'),
    state: RolloutSiteState.parse(row['state']),
    ...(integer(row, 'stuck') === 1 ? { stuck: true } : {}),
  };
}

export function rolloutSiteOf(row: Row): RolloutSiteOf {
  return { row: storedRolloutSite(row), state: RolloutState.parse(row['during']) };
}
