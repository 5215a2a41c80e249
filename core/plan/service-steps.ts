import type { ErrorCode } from '@repoless/contract/errors.ts';
import { Mappings, PathPrefix } from '@repoless/contract/mappings.ts';
import { hostLabelProblem, nameProblem } from '@repoless/contract/names.ts';
import { sameValue } from '@repoless/contract/json.ts';
import { repositoryStep } from '../go-live/gate-steps.ts';
import { at } from '../history/json-values.ts';
import { type Call, hasNoDryRun } from '../situation/call.ts';
import { putSite, VERSION_NAMES } from '../situation/site-calls.ts';
import type { Choices, Situation } from '../situation/situation.ts';
import { type DecidedPart, type DecidedSite, desiredSite, differingParts, ownPart, wholeSite } from './desired-site.ts';
import { blocked, blockedByFailure, changeState, type Step, type StepId, type StepState } from './plan.ts';

const PARTS_OF_STEP: readonly (readonly [StepId, readonly DecidedPart[]])[] = [
  ['register-site', ['code', 'content']],
  ['map-paths', ['public']],
  ['set-access', ['access']],
];

/** The steps for the service's site, with one call for all of them. */
export function serviceSteps(situation: Situation, choices: Choices): Step[] {
  const desired = desiredSite(situation, choices);
  const call = siteCall(situation, choices, desired);
  const refusal = call === undefined ? undefined : dryRunRefusal(situation, choices, call);
  const steps = PARTS_OF_STEP.map(([id, parts]): Step => {
    const state = choiceProblem(id, situation, choices, desired) ?? siteProblem(situation) ?? partsState(situation, desired, parts);
    if (state.kind === 'done' || state.kind === 'blocked' || call === undefined) return { id, state };
    return { id, state: refusal ?? state, call };
  });
  return shareCall(steps);
}

/** The single write that brings the service's site to the desired state; undefined if it already is. */
export function siteCall(situation: Situation, choices: Choices, desired: DecidedSite): Call | undefined {
  const { site } = situation;
  if (site.state === 'failed') return undefined;
  if (site.state === 'missing') return putSite(choices, wholeSite(undefined, desired), VERSION_NAMES.setup, { ifNoneMatch: '*' });
  const { config, own, etag } = site.value;
  const parts = differingParts(config, desired);
  const [part] = parts;
  if (part === undefined) return undefined;
  if (parts.length > 1) return putSite(choices, wholeSite(site.value, desired), VERSION_NAMES.setup, { ifMatch: etag });
  const body = { type: 'json', value: ownPart(part, own[part], config[part], desired[part]) } as const;
  const path = `/config/${choices.organization}/sites/${choices.siteName}/${part}.json`;
  const address = `${path}?versionName=${encodeURIComponent(VERSION_NAMES.setup)}`;
  return { target: 'service', method: 'POST', address, body, replaces: { value: own[part] } };
}

/** The parts of the site that a step is about, as its call sends them; undefined if the call sends none. */
export function writtenParts(id: StepId, call: Call | undefined): Readonly<Record<string, unknown>> | undefined {
  const parts = PARTS_OF_STEP.find(([step]) => step === id)?.[1];
  const sent = call?.body?.type === 'json' ? call.body.value : undefined;
  if (parts === undefined || sent === undefined) return undefined;
  const single = parts.find((part) => call?.address.split('?')[0]?.endsWith(`/${part}.json`) === true);
  if (single !== undefined) return { [single]: sent };
  return Object.fromEntries(parts.map((part) => [part, at(sent, part)]));
}

/** Steps with the same call refer to the first of them, which sends it. */
function shareCall(steps: readonly Step[]): Step[] {
  const first = steps.find((step) => step.call !== undefined)?.id;
  return steps.map((step) => (first === undefined || step.call === undefined || step.id === first ? step : { ...step, sharedWith: first }));
}

function partsState(situation: Situation, desired: DecidedSite, parts: readonly DecidedPart[]): StepState {
  if (situation.site.state !== 'known') return { kind: 'create' };
  const { config } = situation.site.value;
  const differing = parts.filter((part) => !sameValue(config[part], desired[part]));
  if (differing.every((part) => config[part] === undefined)) return differing.length === 0 ? { kind: 'done' } : { kind: 'create' };
  const only = (source: { readonly [P in DecidedPart]?: unknown }) => Object.fromEntries(differing.map((part) => [part, source[part]]));
  return changeState(only(config), only(desired));
}

function choiceProblem(id: StepId, situation: Situation, choices: Choices, desired: DecidedSite): StepState | undefined {
  if (id === 'register-site') return nameBlock(situation, choices);
  if (id === 'map-paths') return mappingBlock(choices, desired);
  if (choices.technicalAccount === '') return blocked('technical-account-missing');
  return undefined;
}

function nameBlock({ otherRoot }: Situation, { organization, siteName }: Choices): StepState | undefined {
  const problem = nameProblem('site', siteName);
  if (problem !== undefined) return blocked('name-invalid', { kind: 'site', name: siteName, problem });
  if (otherRoot?.state === 'known') {
    return blocked('name-invalid', { kind: 'site', name: siteName, root: otherRoot.value.path });
  }
  const tooLong = hostLabelProblem('main', siteName, organization);
  return tooLong === undefined ? undefined : blocked('host-label-too-long', { name: siteName, problem: tooLong });
}

function mappingBlock(choices: Choices, desired: DecidedSite): StepState | undefined {
  const mappings = Mappings.safeParse(desired.public.paths?.mappings ?? []);
  const includes = PathPrefix.array().safeParse(choices.includes ?? []);
  const problem = (mappings.success ? includes : mappings).error?.issues[0]?.message;
  return problem === undefined ? undefined : blocked('mapping-invalid', { problem });
}

function siteProblem(situation: Situation): StepState | undefined {
  return situation.site.state === 'failed' ? blockedByFailure(situation.site.failure) : undefined;
}

/** The service's refusal of a dry run of this call; one about its repository is reported by the step that checks the repository. */
function dryRunRefusal(situation: Situation, choices: Choices, call: Call): StepState | undefined {
  const { dryRun } = situation;
  if (dryRun?.answer.state !== 'failed' || !sameValue(dryRun.call, call) || hasNoDryRun(dryRun.answer)) return undefined;
  const { failure } = dryRun.answer;
  // Someone else was faster: the run plans again when the call itself is refused.
  if (failure.problem?.code === 'PRECONDITION_FAILED') return undefined;
  const isOfRepository = failure.problem !== undefined && OF_THE_REPOSITORY.has(failure.problem.code);
  if (isOfRepository && repositoryStep(situation, choices).state.kind === 'blocked') return undefined;
  return blockedByFailure(failure);
}

const OF_THE_REPOSITORY: ReadonlySet<ErrorCode> = new Set<ErrorCode>([
  'CODE_SOURCE_NOT_FOUND',
  'CODE_SOURCE_REFUSED',
  'REPOSITORY_NOT_READY',
  'CODE_HOST_UNREACHABLE',
  'BUILD_MANAGEMENT_UNREACHABLE',
]);
