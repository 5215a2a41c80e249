import { z } from 'zod';
import { assistant as messages } from '#extension/messages/en/assistant.ts';
import { apply } from '../commands/apply.ts';
import { check } from '../commands/check.ts';
import { exportSites } from '../commands/export.ts';
import { plan } from '../commands/plan.ts';
import { status } from '../commands/status.ts';
import { prepareSync, syncGroups } from '../commands/sync.ts';
import { FileInput, optionsFor, tool, withFile } from './tool.ts';
import type { Tool } from './tool.ts';

const { parameters } = messages;
const Organization = z.string().min(1).describe(parameters.organization);

/** The commands that know sites files, as tools. */
export const siteTools: readonly Tool[] = [
  tool(
    'plan_sites',
    FileInput.extend({ allowContentChange: z.array(z.string()).optional().describe(parameters.contentChanges) }),
    async (given, { allowContentChange = [], ...input }) => {
      const { context, options } = withFile(given, input, { contentChanges: allowContentChange });
      const planned = await plan(context, options);
      if (planned.code === 1) return { ...planned, lines: [...planned.lines, messages.refused.blocked] };
      if (planned.code === 0) return planned;
      const look = async () => JSON.stringify((await plan(context, options)).json);
      return { ...planned, proposal: { seen: JSON.stringify(planned.json), look, run: () => apply(context, options) } };
    },
  ),
  tool(
    'apply_plan',
    z.strictObject({ planId: z.string().min(1).describe(parameters.planId) }),
    ({ applyPlan }, { planId }) => applyPlan(planId),
    true,
  ),
  tool('check_sites', FileInput, (given, input) => {
    const { context, options } = withFile(given, input);
    return check(context, options);
  }),
  tool('site_status', FileInput, (given, input) => {
    const { context, options } = withFile(given, input);
    return status(context, options);
  }),
  tool(
    'export_sites',
    z.strictObject({ organization: Organization, author: z.string().optional().describe(parameters.author) }),
    (given, { organization, author }) =>
      exportSites(given.context, optionsFor(given, { organization, ...(author === undefined ? {} : { author }) })),
  ),
  tool(
    'plan_sync',
    z.strictObject({
      organization: Organization,
      sites: FileInput.shape.sites,
      branch: z.string().min(1).optional().describe(parameters.branch),
    }),
    async (given, { organization, sites = [], branch }) => {
      const { context } = given;
      const options = optionsFor(given, { organization, sites, ...(branch === undefined ? {} : { branch }) });
      const planOf = async () => {
        const prepared = await prepareSync(context, options);
        return { prepared, json: { organization, branch: options.branch, repositories: prepared.groups } };
      };
      const { prepared, json } = await planOf();
      const lines = json.repositories.map(({ owner, repo, sites: shared }) => messages.sync.planned(`${owner}/${repo}`, shared));
      const look = async () => JSON.stringify((await planOf()).json);
      const run = () => syncGroups(context, options, prepared);
      return { code: 3, json, lines, proposal: { seen: JSON.stringify(json), look, run } };
    },
  ),
];
