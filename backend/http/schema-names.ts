import { z } from 'zod';
import * as access from '#contract/access.ts';
import * as apiKey from '#contract/api-key.ts';
import * as assistant from '#contract/assistant.ts';
import * as audit from '#contract/audit.ts';
import * as buildManagement from '#contract/build-management.ts';
import * as deliveries from '#contract/build-management-deliveries.ts';
import * as cdn from '#contract/cdn.ts';
import * as checkedSite from '#contract/checked-site.ts';
import * as codeCheck from '#contract/code-check.ts';
import * as codeSource from '#contract/code-source.ts';
import * as credentials from '#contract/credentials.ts';
import * as deliveryHeaders from '#contract/delivery-headers.ts';
import * as errors from '#contract/errors.ts';
import * as event from '#contract/event.ts';
import * as history from '#contract/history.ts';
import * as job from '#contract/job.ts';
import * as json from '#contract/json.ts';
import * as keptParts from '#contract/kept-parts.ts';
import * as mappings from '#contract/mappings.ts';
import * as org from '#contract/org.ts';
import * as profile from '#contract/profile.ts';
import * as publicLog from '#contract/public-log.ts';
import * as repositoryLog from '#contract/repository-log.ts';
import * as rollout from '#contract/rollout.ts';
import * as secret from '#contract/secret.ts';
import * as service from '#contract/service.ts';
import * as serviceState from '#contract/service-state.ts';
import * as session from '#contract/session.ts';
import * as sidekickConfig from '#contract/sidekick.ts';
import * as sidekick from '#contract/sidekick.ts';
import * as site from '#contract/site.ts';
import * as siteToken from '#contract/site-token.ts';
import * as siteYaml from '#contract/site-yaml.ts';
import * as status from '#contract/status.ts';
import * as usage from '#contract/usage.ts';

const { Profile: SignedInUser, ...ofSessions } = session;

/**
 * The names of schemas in the documents for other programs: what the contract exports them as. Objects, lists, records
 * and any value of JSON have one; texts and numbers are written out where they stand.
 */
export function schemaNames(): [name: string, schema: z.ZodType][] {
  const sites = [
    access,
    cdn,
    checkedSite,
    codeSource,
    credentials,
    deliveryHeaders,
    history,
    json,
    keptParts,
    mappings,
    profile,
    rollout,
    sidekick,
    sidekickConfig,
    site,
    siteYaml,
  ];
  const people = [apiKey, audit, event, org, publicLog, repositoryLog, secret, siteToken, ofSessions, usage, { SignedInUser }];
  const programs = [assistant, buildManagement, deliveries, codeCheck, errors, job, service, serviceState, status];
  const exports = [sites, people, programs].flat().flatMap((module) => Object.entries<unknown>(module));
  return exports.filter((entry): entry is [string, z.ZodType] => isNamed(entry[1]));
}

function isNamed(value: unknown): boolean {
  return [z.ZodObject, z.ZodArray, z.ZodRecord, z.ZodUnion, z.ZodUnknown].some((kind) => value instanceof kind);
}
