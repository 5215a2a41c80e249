import { EDGE_CONFIGURATION } from '@repoless/contract/authoring.ts';
import { type Tier } from '@repoless/contract/addresses.ts';
import { sameValue } from '@repoless/contract/json.ts';
import { removalSteps, valuesOf } from '../plan/authoring-steps.ts';
import { withoutServerFields } from '../plan/desired-site.ts';
import { hostStep, signInStep } from '../plan/plan-setup.ts';
import { blocked, blockedByFailure, changeState, type Plan, planOf, type Step, type StepId, type StepState } from '../plan/plan.ts';
import { servesStored } from '../run/retry.ts';
import type { Dependents } from '../sites/organization-sites.ts';
import { type Call, hasNoDryRun } from '../situation/call.ts';
import {
  changedFields,
  edgeConfigurationPath,
  postToConfiguration,
  PREVIOUS_PROPERTY,
  propertyField,
  removeNode,
} from '../situation/edge-configuration.ts';
import { isOwnPage } from '../situation/record.ts';
import { putSite, removeSite, restoreSite, UNDO_NAME } from '../situation/site-calls.ts';
import type { Previous, Situation } from '../situation/situation.ts';

/**
 * The plan that restores everything from before the apply: the authoring system first, then the service with
 * verification, and the record of the previous values at the very end, so that an interrupted undo can be continued.
 * What the apply did not touch has no step. Without such a record there is nothing to restore: no steps. Takes a
 * situation with the result of `readUndo`.
 */
export function planUndo(situation: Situation): Plan {
  const { previous } = situation.settings;
  const path = edgeConfigurationPath(situation.settings);
  if (previous === undefined || path === undefined) return planOf('undo', []);
  const service = serviceStep(situation, previous);
  const restored = service.state.kind === 'done';
  const signIn = signInStep(situation);
  const { deselect, remove } = removalSteps(situation, previous);
  const plan = planOf('undo', [
    ...(signIn.state.kind === 'done' ? [] : [signIn]),
    ...configurationSteps(situation, previous, path),
    service,
    verifyStep(situation, previous, 'preview', restored),
    verifyStep(situation, previous, 'live', restored),
    ...configurationPageSteps(situation, previous),
    ...deselect,
    ...(remove.length > 0 ? remove : [removeRecordStep(situation, previous, path)]),
  ]);
  const back = situation.undoFacts?.state === 'known' ? situation.undoFacts.value.back : undefined;
  const created = situation.createdPages ?? [];
  const stays = created.filter((one) => !isOwnPage(one, previous)).map((one) => one.path);
  return {
    ...plan,
    ...(back === undefined ? {} : { back }),
    ...(stays.length === 0 ? {} : { stays }),
    undoes: { configuration: path.slice(0, -`/${EDGE_CONFIGURATION}`.length), record: previous },
  };
}

/** Whether the apply changed organization or site name; if not, they need not be restored. */
function changedNames({ organization, siteName, org, site }: Previous): boolean {
  return organization !== org || siteName !== site;
}

/** Project type, and organization and site name if they were changed: one call for both steps. */
function configurationSteps({ settings }: Situation, previous: Previous, path: string): Step[] {
  const desired = { projectType: previous.projectType, organization: previous.organization, siteName: previous.siteName };
  const current = valuesOf(settings);
  const call = postToConfiguration(settings.author, path, changedFields(current, desired));
  const projectType = changeState(current.projectType, desired.projectType);
  const { projectType: _was, ...before } = current;
  const { projectType: _is, ...after } = desired;
  const names = changeState(before, after);
  const shared = projectType.kind === 'done' ? {} : { sharedWith: 'project-type' as const };
  const switchBack: Step = { id: 'project-type', state: projectType, ...(projectType.kind === 'done' ? {} : { call }) };
  const rename: Step = { id: 'cloud-configuration', state: names, ...(names.kind === 'done' ? {} : { call, ...shared }) };
  return names.kind === 'done' && !changedNames(previous) ? [switchBack] : [switchBack, rename];
}

/** Reverts what setups stored, or removes the site if there was none; blocked if the service refuses. */
function serviceStep(situation: Situation, previous: Previous): Step {
  const { site, previousSite, undoFacts } = situation;
  const id: StepId = 'register-site';
  if (site.state === 'failed') return { id, state: blockedByFailure(site.failure) };
  if (undoFacts?.state === 'failed') return { id, state: blockedByFailure(undoFacts.failure) };
  const before = site.state === 'known' ? withoutServerFields(site.value.own) : null;
  const target = { organization: previous.org, siteName: previous.site };
  const back = undoFacts?.value.back;
  if (back?.kind === 'leave') return { id, state: { kind: 'done' } };
  if (back?.kind === 'remove' || (back === undefined && previous.siteVersion === null)) {
    if (site.state === 'missing') return { id, state: { kind: 'done' } };
    if (undoFacts?.value.dependents !== undefined) return { id, state: blockedByDependents(previous.site, undoFacts.value.dependents) };
    if (undoFacts?.value.isUnlisted === true) {
      return { id, state: blocked('sites-unlisted', { site: previous.site, organization: previous.org }) };
    }
    const call = removeSite(target, site.value.etag);
    return { id, state: undoRefusal(situation, call) ?? changeState(before, null), call };
  }
  if (back === undefined && previousSite?.state === 'failed') return { id, state: blockedByFailure(previousSite.failure) };
  const document = back?.document ?? (previousSite?.state === 'known' ? previousSite.value : undefined);
  const version = String(back?.version.version ?? previous.siteVersion);
  // It existed when the record was written, and was removed since, by someone or by the limit on versions.
  if (document === undefined) return { id, state: blocked('version-missing', { site: previous.site, version }) };
  const value = withoutServerFields(document);
  const state = changeState(before, value);
  if (state.kind === 'done') return { id, state };
  const match = site.state === 'known' ? { ifMatch: site.value.etag } : {};
  const call = back?.kind === 'merge' ? putSite(target, value, UNDO_NAME, match) : restoreSite(target, version, match);
  return { id, state: undoRefusal(situation, call) ?? state, call };
}

/** Why the service would refuse this exact call; concurrent changes show when it is made. */
function undoRefusal({ undoDryRun }: Situation, call: Call): StepState | undefined {
  if (undoDryRun?.answer.state !== 'failed' || !sameValue(undoDryRun.call, call) || hasNoDryRun(undoDryRun.answer)) return undefined;
  const { failure } = undoDryRun.answer;
  return failure.problem?.code === 'PRECONDITION_FAILED' ? undefined : blockedByFailure(failure);
}

/** Sites that are named before the rest is counted. */
const NAMED = 5;

function blockedByDependents(site: string, { kind, sites }: Dependents): StepState {
  const data = { site, sites: sites.slice(0, NAMED).join(', '), more: String(Math.max(0, sites.length - NAMED)) };
  return blocked(kind === 'base' ? 'base-of-sites' : 'secret-of-sites', data);
}

function verifyStep(situation: Situation, previous: Previous, tier: Tier, restored: boolean): Step {
  // Once it is restored, the service's answer is compared: a version doesn't include the profile.
  const stored = situation.site.state === 'known' ? situation.site.value.config.public : undefined;
  const target = { organization: previous.org, siteName: previous.site };
  return hostStep(situation, target, tier, (answer) => restored && servesStored({ answer }, stored)).step;
}

/** Removes only pages that applies created and no one has filled. */
function configurationPageSteps(situation: Situation, previous: Previous): Step[] {
  const id: StepId = 'configuration-page';
  const pages = (situation.createdPages ?? []).filter((created) => isOwnPage(created, previous));
  if (pages.length === 0) return [];
  for (const { page } of pages) if (page.state === 'failed') return [{ id, state: blockedByFailure(page.failure) }];
  const paths = pages.flatMap(({ path, page }) => (page.state === 'known' ? [path] : []));
  const [call, ...further] = paths.map((path) => removeNode(`${situation.settings.author}${path}`));
  if (call === undefined) return [{ id, state: { kind: 'done' } }];
  const state = changeState(paths.length === 1 ? { path: paths[0] } : { paths }, null);
  return [{ id, state, call, ...(further.length === 0 ? {} : { further }) }];
}

/** Removes the record as the last step. */
function removeRecordStep({ settings }: Situation, previous: Previous, path: string): Step {
  const state: StepState = { kind: 'change', before: previous, after: null };
  return { id: 'keep-previous', state, call: postToConfiguration(settings.author, path, [propertyField(PREVIOUS_PROPERTY, null)]) };
}
