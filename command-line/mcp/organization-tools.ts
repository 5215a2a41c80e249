import { z } from 'zod';
import { RolloutInput } from '@repoless/contract/rollout.ts';
import { SITE_STATES } from '@repoless/contract/site-check.ts';
import { createChecksPort } from '@repoless/core/api/organization-ports.ts';
import { assistant as messages } from '@repoless/core/messages/en/assistant.ts';
import { commandLine } from '@repoless/core/messages/en/command-line.ts';
import { createPatch } from 'rfc6902';
import { createDryRuns } from '@repoless/core/api/dry-run.ts';
import { createHistoryPort } from '@repoless/core/api/history-port.ts';
import { describeChange } from '@repoless/core/history/describe-change.ts';
import { isObject } from '@repoless/core/history/json-values.ts';
import { type HistoryPort, type HistorySubject, type Restoring, subjectName } from '@repoless/core/history/history-port.ts';
import { CommandFailure, type CommandResult, UsageProblem } from '../cli-context.ts';
import { followRollout, previewed, rolloutWay, type RolloutWay } from '../commands/rollout.ts';
import { connect, must } from '../connect.ts';
import { changeLine, consequenceLines, notKnown, onOneLine } from '../explain.ts';
import { optionsFor, tool, type Tool, type ToolAnswer, type ToolContext } from './tool.ts';

const { parameters } = messages;
const Organization = z.strictObject({ organization: z.string().min(1).describe(parameters.organization) });

/** The health of all sites of an organization, and changes of many of them. */
export const fleetTools: readonly Tool[] = [
  tool('fleet_health', Organization, async (toolContext, { organization }): Promise<CommandResult> => {
    const { client, signedIn } = await connect(toolContext.context, optionsFor(toolContext, {}));
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
  tool('rollouts', Organization, async (toolContext, { organization }): Promise<CommandResult> => {
    const { port } = await wayOf(toolContext, organization);
    const all = must(await port.list(organization), notKnown);
    const lines = all.map(({ id, title, state, total, startedBy }) =>
      messages.fleet.rollout({ id, title: onOneLine(title), state, startedBy }, total),
    );
    return { code: 0, json: { rollouts: all }, lines: lines.length === 0 ? [messages.fleet.noRollouts] : lines };
  }),
  tool(
    'plan_rollout',
    Organization.extend({ rollout: RolloutInput.describe(parameters.rollout) }),
    async (toolContext, { organization, rollout }): Promise<ToolAnswer> => {
      const way = await wayOf(toolContext, organization);
      const planned = must(await way.port.preview(organization, rollout), notKnown);
      const answer = previewed(planned);
      if (!planned.sites.some(({ state }) => state === 'changed')) return answer;
      const run = async (): Promise<CommandResult> =>
        await followRollout(
          toolContext.context,
          optionsFor(toolContext, {}),
          way,
          must(await way.port.start(organization, rollout), notKnown),
        );
      return { ...answer, proposal: { reviewed: JSON.stringify(planned), run } };
    },
  ),
  tool(
    'plan_undo_rollout',
    Organization.extend({ id: z.string().min(1).describe(parameters.rolloutId) }),
    async (toolContext, { organization, id }): Promise<ToolAnswer> => {
      const way = await wayOf(toolContext, organization);
      const { title, state, sites } = must(await way.port.rollout(organization, id), notKnown);
      const found = { title, state, changed: (sites.changed ?? 0) + (sites.staged ?? 0) };
      const lines = [messages.fleet.undo(onOneLine(found.title), found.changed)];
      if (found.changed === 0 || found.state === 'undoing') return { code: 0, json: found, lines: [messages.fleet.nothingToUndo] };
      const { consequences } = must(await way.port.previewUndo(organization, id), notKnown);
      lines.push(...consequenceLines(consequences));
      const run = async (): Promise<CommandResult> =>
        await followRollout(
          toolContext.context,
          optionsFor(toolContext, {}),
          way,
          must(await way.port.order(organization, id, 'undo'), notKnown),
        );
      const shown = { ...found, consequences };
      return { code: 3, json: shown, lines, proposal: { reviewed: JSON.stringify(shown), run } };
    },
  ),
];

function wayOf(toolContext: ToolContext, organization: string): Promise<RolloutWay> {
  return rolloutWay(toolContext.context, optionsFor(toolContext, {}), organization);
}

const Subject = z.strictObject({
  organization: z.string().min(1).describe(parameters.organization),
  site: z.string().min(1).optional().describe(parameters.site),
  profile: z.string().min(1).optional().describe(parameters.profile),
});

/** Versions, and restoring one. */
export const historyTools: readonly Tool[] = [
  tool('history', Subject, async (toolContext, input): Promise<CommandResult> => {
    const { versions, current } = must(await (await portOf(toolContext)).versions(subjectOf(input)), notKnown);
    const lines = versions.map(({ version, created, user = '', name = '' }) =>
      messages.history.version({ version: String(version), created, user, name: onOneLine(name) }),
    );
    return { code: 0, json: { current, versions }, lines: lines.length === 0 ? [messages.history.none] : lines };
  }),
  tool(
    'plan_restore',
    Subject.extend({ version: z.number().int().positive().describe(parameters.version) }),
    async (toolContext, { version, ...input }): Promise<ToolAnswer> => {
      const port = await portOf(toolContext);
      const subject = subjectOf(input);
      const planned = await planRestore(port, subject, version);
      if (planned.changes.length === 0) return { code: 0, json: planned.json, lines: [messages.history.same(version)] };
      const run = async (): Promise<CommandResult> => {
        must(await port.restore(subject, planned.restoring), notKnown);
        return { code: 0, json: { restored: version }, lines: [messages.history.restored(subjectName(subject), version)] };
      };
      const { reviewed, json, consequenceTexts, changes } = planned;
      return { code: 3, json, lines: [...consequenceTexts, ...changes], proposal: { reviewed, run } };
    },
  ),
];

async function portOf(toolContext: ToolContext): Promise<HistoryPort> {
  const { client, signedIn } = await connect(toolContext.context, optionsFor(toolContext, {}));
  if (!signedIn) throw new CommandFailure(commandLine.login.needed);
  return createHistoryPort(client, createDryRuns(client));
}

function subjectOf({ organization, site, profile }: z.output<typeof Subject>): HistorySubject {
  if (site !== undefined && profile !== undefined) throw new UsageProblem(messages.refused.oneSubject);
  if (site !== undefined) return { kind: 'site', organization, name: site };
  return profile === undefined ? { kind: 'organization', organization } : { kind: 'profile', organization, name: profile };
}

/** What restoring the version would change now, by a dry run of exactly that write. */
async function planRestore(port: HistoryPort, subject: HistorySubject, version: number) {
  const [target, current] = await Promise.all([port.version(subject, version), port.current(subject)]);
  if (must(target, notKnown).data === null) throw new UsageProblem(messages.refused.removed(version));
  if (current.state === 'failed') throw notKnown(current);
  const stored = current.state === 'known' ? current.value : undefined;
  const restoring: Restoring = { version, confirm: false, ...(stored === undefined ? {} : { etag: stored.etag }) };
  const { result, consequences = [] } = must(await port.dryRun(subject, restoring), notKnown);
  const after = isObject(result) ? result : {};
  const changes = describeChange(stored?.data ?? null, after)
    .filter(({ kind }) => kind !== 'same')
    .map(changeLine);
  // Timestamps set by the service differ between dry runs.
  const reviewed = JSON.stringify({ version, changes, consequences, etag: stored?.etag });
  return {
    restoring,
    reviewed,
    changes,
    consequenceTexts: consequenceLines(consequences),
    json: { version, changes, consequences, diff: createPatch(stored?.data ?? {}, after) },
  };
}
