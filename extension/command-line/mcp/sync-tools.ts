import { z } from 'zod';
import { eachBounded } from '#extension/setup/sites/each-bounded.ts';
import { assistant as messages } from '#extension/messages/en/assistant.ts';
import type { CommandResult } from '../cli-context.ts';
import { prepareSync, syncGroups } from '../commands/sync.ts';
import { must } from '../connect.ts';
import { notKnown } from '../explain.ts';
import { FileInput, optionsFor, tool } from './tool.ts';
import type { Tool, ToolContext } from './tool.ts';

const { parameters } = messages;
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
