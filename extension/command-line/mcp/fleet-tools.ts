import { z } from 'zod';
import { RolloutInput } from '#contract/rollout.ts';
import { SITE_STATES } from '#contract/site-check.ts';
import { createChecksPort } from '#extension/api/checks-port.ts';
import { assistant as messages } from '#extension/messages/en/assistant.ts';
import { commandLine } from '#extension/messages/en/command-line.ts';
import { CommandFailure } from '../cli-context.ts';
import type { CommandResult } from '../cli-context.ts';
import { followRollout, previewed, rolloutWay } from '../commands/rollout.ts';
import type { RolloutWay } from '../commands/rollout.ts';
import { connect, must } from '../connect.ts';
import { notKnown } from '../explain.ts';
import { optionsFor, tool } from './tool.ts';
import type { Tool, ToolAnswer, ToolContext } from './tool.ts';

const { parameters } = messages;
const Organization = z.strictObject({ organization: z.string().min(1).describe(parameters.organization) });

/** How all sites of an organization stand, and changes of many of them. */
export const fleetTools: readonly Tool[] = [
  tool('fleet_health', Organization, async (given, { organization }): Promise<CommandResult> => {
    const { client, signedIn } = await connect(given.context, optionsFor(given, {}));
    if (!signedIn) throw new CommandFailure(commandLine.login.needed);
    const { sites, days } = must(await createChecksPort(client).all(organization), notKnown);
    const amiss = sites.filter(({ problems, differs }) => problems.length + differs.length > 0);
    const states = SITE_STATES.flatMap((one) => {
      const count = sites.filter(({ state }) => state === one).length;
      return count === 0 ? [] : [`${count} ${one}`];
    });
    const lines = amiss.map(({ name, state, problems, differs }) =>
      messages.fleet.site(name, state, [...problems.map(({ check, verdict }) => `${check} (${verdict})`), ...differs]),
    );
    return { code: 0, json: { sites, days }, lines: [messages.fleet.states(sites.length, states), ...lines] };
  }),
  tool('rollouts', Organization, async (given, { organization }): Promise<CommandResult> => {
    const { port } = await wayOf(given, organization);
    const all = must(await port.list(organization), notKnown);
    const lines = all.map(({ id, title, state, total, startedBy }) => messages.fleet.rollout({ id, title, state, startedBy }, total));
    return { code: 0, json: { rollouts: all }, lines: lines.length === 0 ? [messages.fleet.noRollouts] : lines };
  }),
  tool(
    'plan_rollout',
    Organization.extend({ rollout: RolloutInput.describe(parameters.rollout) }),
    async (given, { organization, rollout }): Promise<ToolAnswer> => {
      const way = await wayOf(given, organization);
      const planned = must(await way.port.preview(organization, rollout), notKnown);
      const answer = previewed(planned);
      if (!planned.sites.some(({ state }) => state === 'changed')) return answer;
      const run = async (): Promise<CommandResult> =>
        await followRollout(given.context, optionsFor(given, {}), way, must(await way.port.start(organization, rollout), notKnown));
      return { ...answer, proposal: { seen: JSON.stringify(planned), run } };
    },
  ),
  tool(
    'plan_undo_rollout',
    Organization.extend({ id: z.string().min(1).describe(parameters.rolloutId) }),
    async (given, { organization, id }): Promise<ToolAnswer> => {
      const way = await wayOf(given, organization);
      const { title, state, sites } = must(await way.port.rollout(organization, id), notKnown);
      const found = { title, state, changed: (sites.changed ?? 0) + (sites.staged ?? 0) };
      const lines = [messages.fleet.undo(found.title, found.changed)];
      if (found.changed === 0 || found.state === 'undoing') return { code: 0, json: found, lines: [messages.fleet.nothingToUndo] };
      const run = async (): Promise<CommandResult> =>
        await followRollout(given.context, optionsFor(given, {}), way, must(await way.port.order(organization, id, 'undo'), notKnown));
      return { code: 3, json: found, lines, proposal: { seen: JSON.stringify(found), run } };
    },
  ),
];

function wayOf(given: ToolContext, organization: string): Promise<RolloutWay> {
  return rolloutWay(given.context, optionsFor(given, {}), organization);
}
