import {
  CHECK_IDS,
  type CheckId,
  EVALUATED_BY,
  type StoredFinding,
  SITE_STATES,
  type SiteCheck,
  type SiteState,
} from '@repoless/contract/site-check.ts';
import { isComplete } from '../sites/organization-sites.ts';
import type { AuthoringSettings, Situation } from '../situation/situation.ts';
import { checkSite } from './check-site.ts';
import { findDrift } from './find-drift.ts';
import { type Finding, fromStoredFinding } from './finding.ts';

/** The known facts about a site. What was not read is absent, and nothing is assumed about it. */
export interface SiteFacts {
  /** Undefined if the service could not be read. */
  readonly registered: boolean | undefined;
  /** The registered site has a code source, a content source and a content root. */
  readonly complete?: boolean;
  readonly authoring?: {
    /** The page has its own configuration, whose project type is repoless. */
    readonly switched: boolean;
    /** A setting differs from the service. */
    readonly differs: boolean;
    /** The site was written since. */
    readonly isOutdated?: boolean;
  };
  readonly findings?: readonly Evaluated[];
  readonly isSyncing?: boolean;
}

/** The parts of a finding that affect the state. */
type Evaluated = Verdict & { readonly check: string };
type Verdict = Pick<Finding, 'verdict'> & { readonly variant?: string | undefined };

/**
 * The state of a site, decided only here, for every screen. Additional knowledge may only replace `changed`.
 *
 * - `not-set-up`: no site is registered; or its page is not switched; or it is unknown whether it is switched, and the site is not
 * complete. What such a site lacks are steps of its setup, not faults.
 * - `faulty`: a check found something wrong; or the page is switched to a site that is missing or incomplete.
 * - `differs`: nothing is wrong, but the authoring system and the service differ.
 * - `changed`: the current site is unverified: it was written after the authoring system was last read, that was never read, or something
 * necessary to tell whether it works could not be read.
 * - `syncing`: in order or changed, and its code is being synced.
 *
 * What the current person may do (checks evaluated by `caller`) does not affect the state.
 */
export function siteState({ registered, complete = true, authoring, findings = [], isSyncing = false }: SiteFacts): SiteState {
  if (registered === undefined) return 'changed';
  const isPromised = authoring?.switched === true;
  if (!registered || !complete) return isPromised ? 'faulty' : 'not-set-up';
  if (authoring?.switched === false) return 'not-set-up';
  const ofSite = findings.filter(({ check }) => !isOfCaller(check));
  if (ofSite.some(({ verdict }) => verdict === 'wrong')) return 'faulty';
  if (authoring?.differs === true) return 'differs';
  const isVerified = isPromised && authoring.isOutdated !== true && VERIFIED.every((check) => isChecked(ofSite, check));
  return currentState(isVerified ? 'in-order' : 'changed', { isSyncing });
}

/** Updates a stored state: the site may have been written since, or its code may be syncing. */
export function currentState(
  state: SiteState,
  { isOutdated = false, isSyncing = false }: { isOutdated?: boolean; isSyncing?: boolean },
): SiteState {
  if (state !== 'in-order' && state !== 'changed') return state;
  return isSyncing ? 'syncing' : isOutdated ? 'changed' : state;
}

function isOfCaller(check: string): boolean {
  return CHECK_IDS.some((id) => id === check && EVALUATED_BY[id] === 'caller');
}

/** Without these checks it is unknown whether a site works. */
const VERIFIED: readonly CheckId[] = [
  'site-registered',
  'project-type',
  'organization-and-site-name',
  'cloud-configuration-own',
  'content-address-site',
  'mapping-site-root',
  'config-preview',
  'config-live',
  'editor-files',
];

function isChecked(findings: readonly Evaluated[], check: CheckId): boolean {
  return findings.some((finding) => finding.check === check && !isOpen(finding));
}

/** Not verified: it could not be checked, or is still pending, like files that the host doesn't serve yet. */
export function isOpen({ verdict, variant }: Verdict): boolean {
  return verdict === 'unknown' || variant === 'in-repository';
}

/** The state from everything that can be read of a site. */
export function stateOfSituation(situation: Situation, findings: readonly Evaluated[] = checkSite(situation)): SiteState {
  const { settings, info } = situation;
  const authoring = { switched: isSwitched(settings, info.repolessProjectType), differs: findDrift(situation).length > 0 };
  return siteState({ ...readOfService(situation), authoring, ...ofFindings(findings) });
}

/** The state of a site if the authoring system was not read. */
export function stateWithoutAuthoring(situation: Situation, findings: readonly Evaluated[]): SiteState {
  return siteState({ ...readOfService(situation), ...ofFindings(findings) });
}

function ofFindings(findings: readonly Evaluated[]): Pick<SiteFacts, 'findings' | 'isSyncing'> {
  return { findings, isSyncing: findings.some(({ check, variant }) => check === 'code-sync-fresh' && variant === 'running') };
}

function readOfService({ site, organization, claim }: Situation): Pick<SiteFacts, 'registered' | 'complete'> {
  // To strangers, the service answers as if neither the organization nor the site existed.
  const isHidden = site.state === 'missing' && organization.state === 'missing' && claim?.state === 'failed';
  return {
    registered: site.state === 'failed' || isHidden ? undefined : site.state === 'known',
    complete: site.state !== 'known' || isComplete(site.value.config),
  };
}

/** The page has its own configuration, whose project type is repoless. */
export function isSwitched({ cloudConfiguration, configurationMissing, projectType }: AuthoringSettings, repoless: string): boolean {
  return cloudConfiguration.source.kind === 'page' && configurationMissing !== true && projectType.value === repoless;
}

type StateTone = 'positive' | 'notice' | 'negative' | 'info' | 'neutral' | 'yellow';

/** The color next to the word. */
export const STATE_TONES: Readonly<Record<SiteState, StateTone>> = {
  faulty: 'negative',
  differs: 'notice',
  'not-set-up': 'neutral',
  changed: 'yellow',
  syncing: 'info',
  'in-order': 'positive',
};

export interface Evaluation {
  readonly state: SiteState;
  readonly findings: readonly Finding[];
  /** Findings about the current person's permissions rather than about the site. */
  readonly ofCaller: readonly Finding[];
  /** Number of checks that found something wrong with the site. */
  readonly wrong: number;
}

/** State and findings of a site from everything that was read here and what the service has stored, so that every screen agrees. */
export function evaluateSituation(situation: Situation, stored?: Pick<SiteCheck, 'state' | 'findings'>): Evaluation {
  const read = checkSite(situation);
  const findings = read
    .filter(({ check }) => !isOfCaller(check))
    .map((finding) =>
      joinFindings(
        finding,
        stored?.findings.find(({ check }) => check === finding.check),
      ),
    );
  const ofCaller = read.filter(({ check, verdict }) => isOfCaller(check) && (verdict === 'wrong' || verdict === 'warning'));
  const state = joinStates(stateOfSituation(situation, read), stored?.state);
  return { state, findings, ofCaller, wrong: findings.filter(({ verdict }) => verdict === 'wrong').length };
}

/** What was read here adds to the stored state and never improves it: callers who may store their findings have done so. */
export function joinStates(read: SiteState, stored: SiteState | undefined): SiteState {
  if (stored === undefined) return read;
  return read === 'changed' || SITE_STATES.indexOf(stored) <= SITE_STATES.indexOf(read) ? stored : read;
}

function joinFindings(read: Finding, stored: StoredFinding | undefined): Finding {
  if (stored === undefined || stored.verdict === 'unknown' || read.verdict === 'wrong') return read;
  return fromStoredFinding(stored);
}
