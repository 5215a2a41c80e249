import { z } from 'zod';
import { assistant as messages } from '#extension/messages/en/assistant.ts';
import { apply } from '../commands/apply.ts';
import { check } from '../commands/check.ts';
import { prepareClone } from '../commands/clone.ts';
import { exportSites } from '../commands/export.ts';
import { plan } from '../commands/plan.ts';
import { simulate } from '../commands/simulate.ts';
import { status } from '../commands/status.ts';
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
      return { ...planned, proposal: { seen: JSON.stringify(planned.json), run: () => apply(context, options) } };
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
  tool('simulate_mappings', FileInput, (given, input) => {
    const { context, options } = withFile(given, input);
    return simulate(context, options);
  }),
  tool(
    'plan_clone',
    z.strictObject({
      organization: Organization,
      from: z.string().min(1).describe(parameters.from),
      site: z.string().min(1).describe(parameters.newSite),
      contentRoot: z.string().min(1).describe(parameters.contentRoot),
    }),
    async (given, { organization, from, site, contentRoot }) => {
      const options = optionsFor(given, { organization, from, sites: [site], contentRoot });
      const { seen, tried, create } = await prepareClone(given.context, options);
      return { ...tried, code: 3, proposal: { seen, run: create } };
    },
  ),
  tool(
    'export_sites',
    z.strictObject({ organization: Organization, author: z.string().optional().describe(parameters.author) }),
    (given, { organization, author }) =>
      exportSites(given.context, optionsFor(given, { organization, ...(author === undefined ? {} : { author }) })),
  ),
];
