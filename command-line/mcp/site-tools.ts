import { z } from 'zod';
import { assistant as messages } from '@repoless/core/messages/en/assistant.ts';
import { eachBounded } from '@repoless/core/sites/each-bounded.ts';
import { apply } from '../commands/apply.ts';
import { check } from '../commands/check.ts';
import { prepareClone } from '../commands/clone.ts';
import { exportSites } from '../commands/export.ts';
import { plan } from '../commands/plan.ts';
import { simulate } from '../commands/simulate.ts';
import { status } from '../commands/status.ts';
import { FileInput, optionsFor, tool, withFile } from './tool.ts';
import type { Tool, ToolContext, ToolName } from './tool.ts';
import type { Command, CommandResult } from '../cli-context.ts';
import { prepareSync, syncGroups } from '../commands/sync.ts';
import { must } from '../connect.ts';
import { notKnown } from '../explain.ts';

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
  ofFile('check_sites', check),
  ofFile('site_status', status),
  ofFile('simulate_mappings', simulate),
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

/** A command that reads the file and writes nothing. */
function ofFile(name: ToolName, command: Command): Tool {
  return tool(name, FileInput, (given, input) => {
    const { context, options } = withFile(given, input);
    return command(context, options);
  });
}

const Branch = z.strictObject({
  organization: z.string().min(1).describe(parameters.organization),
  sites: FileInput.shape.sites,
  branch: z.string().min(1).optional().describe(parameters.branch),
});

/** The code of sites: how it stands, and its sync. */
export const syncTools: readonly Tool[] = [
  tool('sync_status', Branch, async (given, input): Promise<CommandResult> => {
    const { groups, organization: org, ref, port } = await prepareSync(given.context, optionsOf(given, input));
    const found = await eachBounded(groups, AT_ONCE, async ({ owner, repo, sites }) => {
      const [site = ''] = sites;
      const status = await port.status({ org, site, ref });
      const { name, state, stopTime, error, data } = must(status, notKnown);
      return { owner, repo, sites, job: name, state, stopTime, error, sha: data?.sha };
    });
    const lines = found.map(({ owner, repo, sites, state, stopTime, error, sha }) =>
      messages.sync.stands({ place: `${owner}/${repo}`, sites, state: state ?? 'none', sha, time: stopTime, error }),
    );
    return { code: 0, json: { organization: org, branch: ref, repositories: found }, lines };
  }),
  tool('plan_sync', Branch, async (given, input) => {
    const options = optionsOf(given, input);
    const prepared = await prepareSync(given.context, options);
    const json = { organization: prepared.organization, branch: options.branch, repositories: prepared.groups };
    const lines = json.repositories.map(({ owner, repo, sites: shared }) => messages.sync.planned(`${owner}/${repo}`, shared));
    const run = () => syncGroups(given.context, options, prepared);
    return { code: 3, json, lines, proposal: { seen: JSON.stringify(json), run } };
  }),
];

const AT_ONCE = 4;

function optionsOf(given: ToolContext, { organization, sites = [], branch }: z.output<typeof Branch>) {
  return optionsFor(given, { organization, sites, ...(branch === undefined ? {} : { branch }) });
}
