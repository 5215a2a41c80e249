import { RolloutSiteState, RolloutState } from '@repoless/contract/rollout.ts';
import type { RolloutChange, RolloutRecord, RolloutSiteOf, RolloutSiteRecord, StoredRollout } from '../rollouts/rules/ports.ts';
import { document, integer, text } from './row.ts';
import type { Row } from './row.ts';
import { storableText } from './statement.ts';
import type { Args, Statement } from './statement.ts';
import { Conflicted } from './storage-error.ts';
import type { WriteStatements } from './write-statements.ts';

interface Steps {
  rows(statement: Statement, args: Args): Promise<readonly Row[]>;
  may(statement: Statement, row: object): Promise<void>;
  must(statement: Statement, row: object, atLeast?: number): Promise<void>;
}

/** A change of rollouts, as part of a write. */
export async function changeRollout(statements: WriteStatements, change: RolloutChange, { rows, may, must }: Steps): Promise<void> {
  switch (change.kind) {
    case 'start': {
      const { org, id, started } = change.rollout;
      const open = await rows(statements.openRollouts, { org });
      if (!open.every((row) => change.beside.includes(text(row, 'id')))) throw new Conflicted();
      const sites = JSON.stringify(change.sites.map(({ site, wave }) => [site, wave]));
      await must(statements.insertRollout, { ...rolloutRow(change.rollout), started });
      return await must(statements.insertRolloutSites, { org, id, sites }, change.sites.length);
    }
    case 'put':
      return await must(statements.putRollout, { ...rolloutRow(change.rollout), seen: change.seen });
    case 'site':
      return await must(statements.putRolloutSite, { ...siteRow(change.row), seen: change.seen, during: change.during });
    case 'sites': {
      const { org, rollout, from, to, extending = '' } = change;
      return await may(statements.putRolloutSites, { org, rollout, from, to, extending });
    }
    case 'unstick':
      return await may(statements.unstickRolloutSites, { org: change.org, rollout: change.rollout });
  }
}

function rolloutRow(rollout: RolloutRecord) {
  const { org, id, state, title, edits, profile, waves, wave, by, requestId, started, startedBy, ended, stopped } = rollout;
  const kept = { title, edits, profile, waves, wave, by, requestId, started, startedBy, ended, stopped };
  const json = storableText(JSON.stringify(kept));
  return { org, id, state, document: json };
}

export function storedRollout(row: Row): StoredRollout {
  const [org, id, json] = [text(row, 'org'), text(row, 'id'), text(row, 'document')];
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
