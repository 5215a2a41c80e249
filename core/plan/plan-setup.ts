import { configAddress, type Tier } from '@repoless/contract/addresses.ts';
import { nameProblem } from '@repoless/contract/names.ts';
import { REPOSITORY_SECRET, SecretValue } from '@repoless/contract/secret.ts';
import { hostDomains } from '@repoless/contract/service.ts';
import type { PublicConfig } from '@repoless/contract/site.ts';
import { gateSteps } from '../go-live/gate-steps.ts';
import { servesStored } from '../run/retry.ts';
import type { Call } from '../situation/call.ts';
import type { Choices, ConfigProbe, Situation, Target } from '../situation/situation.ts';
import { isClaimed } from '../situation/target.ts';
import {
  cloudConfigurationStep,
  configurationPageStep,
  keepPreviousStep,
  newConfigurationSteps,
  previousOf,
  projectTypeStep,
} from './authoring-steps.ts';
import { desiredSite } from './desired-site.ts';
import { blocked, blockedByFailure, failureData, type Plan, planOf, type Step } from './plan.ts';
import { serviceSteps } from './service-steps.ts';

/**
 * The plan that enables repoless for a site root, in the safe order (service first, then verification, the authoring
 * system's switch last), with the gate before the switch. Takes a situation read for these choices. Returns every step
 * with its state and its exact call.
 */
export function planSetup(situation: Situation, choices: Choices): Plan {
  const service = serviceSteps(situation, choices);
  const secret = secretSteps(situation, choices);
  const written = service.every((step) => step.state.kind === 'done');
  const desired = desiredSite(situation, choices).public;
  const configuration = configurationPageStep(situation, choices);
  const cloud = cloudConfigurationStep(situation, choices);
  const projectType = projectTypeStep(situation);
  const fresh = newConfigurationSteps(situation, previousOf(situation, choices));
  const gate = gateSteps(situation, choices, {
    service: [...service, ...secret],
    configurationPage: configuration,
    cloudConfiguration: [...fresh, cloud],
  });
  const anythingToDo = [...fresh, configuration, ...service, ...secret, cloud, projectType].some((step) => step.state.kind !== 'done');
  return planOf('enable', [
    signInStep(situation),
    organizationStep(situation, choices),
    gate.repository,
    ...fresh.filter(({ id }) => id === 'create-configuration'),
    keepPreviousStep(situation, choices, anythingToDo),
    ...fresh.filter(({ id }) => id === 'select-configuration'),
    configuration,
    ...afterRegistration(service, secret),
    gate['code-sync'],
    gate['editor-files'],
    verifyStep(situation, choices, 'preview', written ? desired : undefined),
    verifyStep(situation, choices, 'live', written ? desired : undefined),
    gate['may-publish'],
    cloud,
    gate['configuration-served'],
    gate['content-page'],
    projectType,
  ]);
}

/** The secret is stored as soon as a site exists that can hold it. */
function afterRegistration(service: readonly Step[], secret: readonly Step[]): Step[] {
  return service.flatMap((step) => (step.id === 'register-site' ? [step, ...secret] : [step]));
}

export function signInStep({ profile }: Situation): Step {
  const id = 'sign-in';
  if (profile.state === 'known') return { id, state: { kind: 'done' } };
  if (profile.state === 'missing') return { id, state: blocked('not-signed-in') };
  return { id, state: blockedByFailure(profile.failure) };
}

/** Claimed already, or claimed by this caller as an operator; claims with a challenge are made elsewhere. */
function organizationStep(situation: Situation, choices: Choices): Step {
  const { organization, claim } = situation;
  const id = 'claim-organization';
  const name = choices.organization;
  const problem = nameProblem('organization', name);
  if (problem !== undefined) return { id, state: blocked('name-invalid', { kind: 'organization', name, problem }) };
  if (isClaimed(situation)) return { id, state: { kind: 'done' } };
  if (organization.state !== 'failed') {
    if (claim?.state === 'known') return { id, state: { kind: 'create' }, call: claimCall(name) };
    const reason = blockedByFailure(claim?.state === 'failed' ? claim.failure : { kind: 'refused' });
    const data = claim?.state === 'failed' ? failureData(claim.failure) : {};
    const isClaimedByOthers = data['code'] === 'ORG_ALREADY_CLAIMED';
    const known = reason.kind === 'blocked' && reason.reason !== 'refused' && (isClaimedByOthers || reason.reason !== 'not-administrator');
    return { id, state: known ? reason : blocked('organization-not-claimed', { organization: name, ...data }) };
  }
  return { id, state: blockedByFailure(organization.failure) };
}

/** Claims an organization by its name only; the caller becomes its first admin. */
export function claimCall(organization: string): Call {
  return { target: 'service', method: 'PUT', address: `/config/${organization}.json`, body: { type: 'json', value: {} } };
}

function verifyStep(situation: Situation, choices: Choices, tier: Tier, stored: PublicConfig | undefined): Step {
  const { step, address, answer } = hostStep(
    situation,
    choices,
    tier,
    (found) => stored !== undefined && servesStored({ answer: found }, stored),
  );
  const isAwaited =
    situation.info.hosted !== undefined &&
    stored !== undefined &&
    step.state.kind !== 'done' &&
    answer !== undefined &&
    answer.state !== 'failed';
  return { ...step, ...(isAwaited && { awaited: { kind: 'unexpected', finding: { kind: 'not-served', serves: 'not-yet', address } } }) };
}

export function hostStep(
  situation: Situation,
  { organization, siteName }: Target,
  tier: Tier,
  isRight: (answer: ConfigProbe['answer']) => boolean,
) {
  const address = configAddress(hostDomains(situation.info), tier, organization, siteName);
  const probe = situation[tier];
  const answer = probe?.address === address ? probe.answer : undefined;
  const step: Step = {
    id: tier === 'preview' ? 'verify-preview' : 'verify-live',
    state: { kind: answer !== undefined && isRight(answer) ? 'done' : 'verify' },
    call: { target: 'host', method: 'GET', address },
  };
  return { step, address, answer };
}

/**
 * Stores the secret of an external repository with its first site (call 6); no step for any other site. An existing secret stays unless
 * another one was pasted. If there is none, linking the repository to the site creates one.
 */
function secretSteps({ secret, site, mayLink, info }: Situation, choices: Choices): Step[] {
  const id = 'store-secret';
  if (choices.code.type !== 'byogit' || !choices.code.holdsSecret) return [];
  const pasted = choices.secret;
  if (pasted !== undefined) {
    const problem = SecretValue.safeParse(pasted.reveal()).error?.issues[0]?.message;
    if (problem !== undefined) return [{ id, state: blocked('secret-invalid', { problem }) }];
    return [{ id, state: { kind: 'create' }, call: secretCall(choices) }];
  }
  if (secret?.state === 'known') return [{ id, state: { kind: 'done' } }];
  if (secret?.state === 'failed') return [{ id, state: blockedByFailure(secret.failure) }];
  if (mayLink === true && info.buildManagement !== undefined) {
    const call = linkCall(info.buildManagement, choices);
    return [
      { id: 'link-repository', state: { kind: 'create' }, call },
      { id, state: { kind: 'create' }, call, sharedWith: 'link-repository' },
    ];
  }
  // Build management links only registered sites, so it has no secret for others.
  const registered = site.state === 'missing' ? 'no' : 'yes';
  return [{ id, state: blocked('secret-missing', { registered }) }];
}

function linkCall(address: string, { organization, siteName, code }: Choices): Call {
  return {
    target: 'build-management',
    method: 'PUT',
    address: `${address}/organizations/${organization}/repositories/${code.repo}/link`,
    body: { type: 'json', value: { site: siteName } },
  };
}

export function secretCall({ organization, siteName, secret }: Pick<Choices, 'organization' | 'siteName' | 'secret'>): Call {
  const address = `/config/${organization}/sites/${siteName}/secrets/${REPOSITORY_SECRET}.json`;
  return { target: 'service', method: 'POST', address, ...(secret === undefined ? {} : { body: { type: 'secret', value: secret } }) };
}
