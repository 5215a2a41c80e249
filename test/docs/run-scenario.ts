import type { Documented } from '../support/documented-calls.ts';
import { askByShell } from './ask-by-shell.ts';
import { curlCommand } from './curl-command.ts';
import { documentedRows } from './documented-rows.ts';
import type { DocumentedRow } from './documented-rows.ts';
import type { ShownAddresses } from './shown-addresses.ts';
import type { Example, Step } from './step.ts';

export interface ScenarioOutcome {
  /** Identifiers of the rows whose examples were run. */
  readonly ran: ReadonlySet<string>;
  /** What was not answered as the rows and the scenario say, a text each. */
  readonly problems: readonly string[];
}

/** Runs the steps one after the other, each command by a real shell and a real curl. Variables stand for what readers fill in. */
export async function runScenario(
  steps: readonly Step[],
  addresses: ShownAddresses,
  variables: Readonly<Record<string, string>>,
): Promise<ScenarioOutcome> {
  const rows = new Map(documentedRows().map((one) => [one.id, one]));
  const values = { ...variables };
  const ran = new Set<string>();
  const problems: string[] = [];
  for (const step of steps) {
    if (typeof step === 'function') Object.assign(values, await step(values));
    else {
      try {
        await runExample(rows.get(step.id), step, addresses, values);
        ran.add(step.id);
      } catch (error) {
        problems.push(`${step.id} ${step.title ?? ''}: ${error instanceof Error ? error.message : String(error)}`);
      }
    }
  }
  return { ran, problems };
}

/** Throws a text where the answer is not as it should be. */
async function runExample(
  documented: DocumentedRow | undefined,
  example: Example,
  addresses: ShownAddresses,
  values: Record<string, string>,
): Promise<void> {
  if (documented === undefined) throw new Error('there is no such call. Take its example out of the scenario.');
  const command = curlCommand(documented, example);
  const answer = await askByShell(addresses.here(command), values, example.until);
  requireFit(documented, example, answer);
  for (const [name, place] of Object.entries(example.keep ?? {})) values[name] = valueAt(answer, place);
}

/** The status that was said, and what the row promises with it. */
function requireFit({ row }: DocumentedRow, { status, until }: Example, answer: Documented): void {
  const told = `answered ${answer.status} ${answer.body.slice(0, 2000)}`;
  const good = status === undefined ? answer.status < 400 && answer.status in row.answers : answer.status === status;
  if (!good) throw new Error(`${told}\ninstead of ${status ?? Object.keys(row.answers).join(' or ')}.`);
  if (until !== undefined && !answer.body.includes(until)) throw new Error(`${told}\nwhich never held ${until}.`);
  const schema = row.answers[answer.status]?.schema;
  const isJson = answer.headers.some(([name, value]) => name === 'content-type' && value.startsWith('application/json'));
  const unfit = schema === undefined || !isJson ? undefined : schema.safeParse(JSON.parse(answer.body)).error;
  if (unfit !== undefined) throw new Error(`${told}\nwhich does not fit its row: ${unfit.message}`);
}

/** `header etag`, or keys and numbers into the body. */
function valueAt({ headers, body }: Documented, place: string): string {
  const [, header] = /^header (.+)$/.exec(place) ?? [];
  if (header !== undefined) return headers.find(([name]) => name === header)?.[1] ?? '';
  let at: unknown = JSON.parse(body);
  for (const key of place.split('.'))
    at = typeof at === 'object' && at !== null ? Object.entries(at).find(([name]) => name === key)?.[1] : at;
  if (typeof at !== 'string' && typeof at !== 'number') throw new Error(`there is nothing at ${place} of ${body}`);
  return String(at);
}
