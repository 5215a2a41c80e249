import type { CodeSource } from '@repoless/contract/code-source.ts';
import { readMappings } from '@repoless/contract/mappings.ts';
import type { CheckId, SiteState } from '@repoless/contract/site-check.ts';
import type { ContentSource, PublicConfig } from '@repoless/contract/site.ts';
import { codeChoice } from '../plan/choices.ts';
import type { AuthoringSettings, Situation } from '../situation/situation.ts';
import type { Finding } from './check-data.ts';
import { checkSite } from './check-site.ts';
import { findDrift } from './find-drift.ts';

/** What a screen has read of a site. What it has not read is absent, and takes nothing for granted. */
export interface SiteRead {
  /** Undefined: the service could not be asked. */
  readonly registered: boolean | undefined;
  /** The registered site has a code source, a content source and a content root. */
  readonly complete?: boolean;
  readonly authoring?: {
    /** The page has a configuration of its own whose project type is repoless. */
    readonly switched: boolean;
    /** A setting says something else than the service. */
    readonly differs: boolean;
  };
  readonly findings?: readonly Judged[];
}

/** A finding as far as the state goes. */
type Judged = Verdict & { readonly check: string };
type Verdict = Pick<Finding, 'verdict'> & { readonly variant?: string | undefined };

/** The state of a site. A view that reads more may only move on from `registered`: to a failure, or to `set-up`, which requires a check. */
export function siteState({ registered, complete = true, authoring, findings }: SiteRead): SiteState {
  if (registered === undefined) return 'unknown';
  if (!registered) return authoring?.switched === true ? 'faulty' : 'not-set-up';
  if (!complete || authoring?.switched === false) return 'unfinished';
  if (authoring?.differs === true) return 'differs';
  if (findings === undefined) return 'registered';
  if (findings.some(({ verdict }) => verdict === 'wrong')) return 'faulty';
  return authoring !== undefined && VERIFIED.every((check) => isLookedAt(findings, check)) ? 'set-up' : 'registered';
}

/** Without these checks nothing says that a site works. */
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

function isLookedAt(findings: readonly Judged[], check: CheckId): boolean {
  return findings.some((finding) => finding.check === check && !isOpen(finding));
}

/** Not seen: it could not be checked, or is still to come, like files that the host doesn't serve yet. */
export function isOpen({ verdict, variant }: Verdict): boolean {
  return verdict === 'unknown' || variant === 'in-repository';
}

/** The state from everything that can be read of a site. */
export function stateOfSituation(situation: Situation, findings: readonly Judged[] = checkSite(situation)): SiteState {
  const { settings, info } = situation;
  return siteState({
    ...readOfService(situation),
    authoring: { switched: isSwitched(settings, info.repolessProjectType), differs: findDrift(situation).length > 0 },
    findings,
  });
}

/** The same where the authoring system was not read. */
export function stateWithoutAuthoring(situation: Situation, findings: readonly Judged[]): SiteState {
  return siteState({ ...readOfService(situation), findings });
}

function readOfService({ site }: Situation): Pick<SiteRead, 'registered' | 'complete'> {
  return {
    registered: site.state === 'failed' ? undefined : site.state === 'known',
    complete: site.state !== 'known' || isComplete(site.value.config),
  };
}

/** The page has a configuration of its own whose project type is repoless. */
export function isSwitched({ cloudConfiguration, configurationMissing, projectType }: AuthoringSettings, repoless: string): boolean {
  return cloudConfiguration.source.kind === 'page' && configurationMissing !== true && projectType.value === repoless;
}

interface SiteParts {
  readonly code?: CodeSource | undefined;
  readonly content?: ContentSource | undefined;
  readonly public?: PublicConfig | undefined;
}

/** Something is mapped to `/`, be it all content (`/:/`). */
function mapsRoot(mappings: readonly string[]): boolean {
  return readMappings(mappings).some((mapping) => mapping.public === '/');
}

/** A registered site has all that its pages need. */
export function isComplete({ code, content, public: open }: SiteParts): boolean {
  return codeChoice(code) !== undefined && content !== undefined && mapsRoot(open?.paths?.mappings ?? []);
}

type StateTone = 'positive' | 'notice' | 'negative' | 'info' | 'neutral' | 'yellow';

/** The colour beside the word. */
export const STATE_TONES: Readonly<Record<SiteState, StateTone>> = {
  faulty: 'negative',
  differs: 'notice',
  unfinished: 'yellow',
  'not-set-up': 'neutral',
  unknown: 'neutral',
  registered: 'info',
  'set-up': 'positive',
};

export interface Judgement {
  readonly state: SiteState;
  /** How many checks found something wrong. */
  readonly wrong: number;
}

/** The state of a site from all that was read of it. */
export function evaluateSituation(situation: Situation): Judgement {
  const findings = checkSite(situation);
  return { state: stateOfSituation(situation, findings), wrong: findings.filter(({ verdict }) => verdict === 'wrong').length };
}
