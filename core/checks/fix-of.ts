import type { CheckId } from '@repoless/contract/site-check.ts';
import { STEP_IDS, type StepId } from '../plan/plan.ts';
import type { Finding } from './check-data.ts';

/** Where to fix a finding: a step of the site's setup, or a place of the site or its organization. */
export type FixLinks = { readonly step: StepId } | { readonly place: Place };
const PLACES = ['access', 'configuration', 'repositories'] as const;
type Place = (typeof PLACES)[number];

/** Undefined if it cannot be fixed here: its message says who can. */
export function fixOf({ check, verdict, variant }: Pick<Finding, 'check' | 'verdict' | 'variant'>): FixLinks | undefined {
  if (verdict === 'fine' || verdict === 'unknown') return undefined;
  const exact = `${check}/${variant ?? ''}` as const;
  const by = exact in FIXED_BY ? FIXED_BY[exact] : FIXED_BY[check];
  const step = STEP_IDS.find((id) => id === by);
  if (step !== undefined) return { step };
  const place = PLACES.find((name) => name === by);
  return place === undefined ? undefined : { place };
}

/** By check, or by check and variant. */
const FIXED_BY: Readonly<Partial<Record<CheckId | `${CheckId}/${string}`, StepId | Place | undefined>>> = {
  'site-registered': 'register-site',
  'technical-account-listed': 'set-access',
  'technical-account-environment': 'set-access',
  'wildcard-administrators': 'access',
  'groups-exist': 'access',
  'content-address-site': 'register-site',
  // People decide on moving to another environment.
  'content-address-site/other-author': undefined,
  'mapping-site-root': 'map-paths',
  'mapping-site-root/start-not-included': 'configuration',
  'mapping-site-root/elsewhere': 'configuration',
  'mapping-configuration': 'map-paths',
  'configuration-page': 'configuration-page',
  'configuration-page/type': undefined,
  'config-preview/missing': 'register-site',
  'config-live/missing': 'register-site',
  'editor-files/not-synced': 'repositories',
  'editor-files/unseen': 'repositories',
  'project-type': 'project-type',
  'project-type/too-early': 'register-site',
  'organization-and-site-name': 'cloud-configuration',
  'cloud-configuration-own/missing': 'create-configuration',
  'code-sync-fresh': 'repositories',
  'code-sync-fresh/running': undefined,
  'secret-present': 'repositories',
  'secret-present/superfluous': undefined,
};
