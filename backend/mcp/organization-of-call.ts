import { z } from 'zod';
import type { AssistantMessage } from '#contract/assistant.ts';
import { LIMITS } from '#contract/limits.ts';
import { OrgName, SiteName } from '#contract/names.ts';
import type { Context } from '#backend/domain/context.ts';
import { isNamed } from '#backend/domain/roles/roles-of.ts';
import type { SecretBox } from '#backend/domain/secrets/secret-box.ts';
import { keptPlans } from './kept-plans.ts';

const Call = z.object({ params: z.object({ arguments: z.unknown() }) });
const Input = z.object({
  organization: z.unknown().optional(),
  site: z.unknown().optional(),
  sites: z.array(z.unknown()).optional(),
  file: z.string().max(LIMITS.assistantFile).optional(),
  planId: z.string().optional(),
});
type Input = z.infer<typeof Input>;

/**
 * The organization that a call of a tool is about: the one that it, its file or its plan names, where the caller has a role there or on the first
 * site that it names. Undefined otherwise: nobody uses up the share of an organization in which they have no role.
 */
export async function organizationOfCall(
  context: Context,
  box: Pick<SecretBox, 'seal' | 'open'>,
  message: AssistantMessage,
): Promise<string | undefined> {
  const called = inputOf(Call.safeParse(message).data?.params.arguments);
  const input = called.planId === undefined ? called : inputOf((await keptPlans(context, box).look(called.planId))?.input);
  const { organization, sites: [first] = [] } = { ...fileOf(input), ...input };
  const org = OrgName.safeParse(organization).data;
  if (org === undefined) return undefined;
  const site = SiteName.safeParse(input.site ?? nameOf(first)).data;
  const { reads } = context.store;
  const stored = site === undefined ? { org: await reads.org(org), site: undefined } : await reads.orgAndSite(org, site);
  if (stored.org === undefined || !isNamed(context.caller, stored.org.config, stored.site?.aggregate)) return undefined;
  return org;
}

function inputOf(value: unknown): Input {
  return Input.safeParse(value).data ?? {};
}

function fileOf({ file }: Input): Input {
  try {
    return file === undefined ? {} : inputOf(JSON.parse(file));
  } catch {
    // The tool says what is wrong with it.
    return {};
  }
}

/** Of a site as a tool names it, or as a file does. */
function nameOf(site: unknown): unknown {
  return typeof site === 'object' && site !== null && 'name' in site ? site.name : site;
}
