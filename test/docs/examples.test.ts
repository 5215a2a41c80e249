import { buildManagementEndpoints } from '@repoless/contract/build-management-endpoints.ts';
import type { Endpoint } from '@repoless/contract/endpoint.ts';
import { allEndpoints } from '@repoless/contract/endpoints.ts';
import type { Addresses } from '@repoless/sandbox/addresses.ts';
import { BUILD_MANAGEMENT_KEY, OPERATOR } from '@repoless/sandbox/backend-process.ts';
import { authoringTokenOf, serviceTokenOf } from '@repoless/sandbox/sign-in-as.ts';
import { ACCESS_TOKEN } from '@repoless/sandbox/vendor-host/start-vendor-host.ts';
import { BODY_EXAMPLES, PARAMETER_EXAMPLES } from '@repoless/service/http/openapi-examples.ts';
import { beforeAll, expect, it, vi } from 'vitest';
import { ask, type TestAnswer } from '../support/ask.ts';
import { SCENARIO } from './scenario.ts';
import type { Example, Step } from './step.ts';
import { startDocumentedWorld } from './world.ts';

let outcome: ScenarioOutcome;

beforeAll(async () => {
  const world = await startDocumentedWorld();
  try {
    const { addresses } = world;
    outcome = await runScenario(SCENARIO, addresses, {
      API: addresses.backend,
      TOKEN: await serviceTokenOf(OPERATOR, addresses),
      AUTHORING_TOKEN: await authoringTokenOf(OPERATOR, addresses),
      ACCESS_TOKEN,
      BUILD_MANAGEMENT_KEY,
    });
  } finally {
    await world.stop();
  }
}, 240_000);

it('every example gets the answer of its row', () => {
  expect(outcome.problems).toEqual([]);
});

it('every call has an example: add missing ones to test/docs/scenario.ts', () => {
  expect([...DOCUMENTED_ROWS.keys()].filter((id) => !outcome.ran.has(id))).toEqual([]);
});

type Values = Readonly<Record<string, string>>;

interface ScenarioOutcome {
  /** The rows whose examples ran, by identifier. */
  readonly ran: ReadonlySet<string>;
  /** Answers other than the rows and the scenario require. */
  readonly problems: readonly string[];
}

/** The rows of both programs. */
const DOCUMENTED_ROWS: ReadonlyMap<string, Endpoint> = new Map([...allEndpoints(), ...Object.entries<Endpoint>(buildManagementEndpoints)]);

const FORM = 'application/x-www-form-urlencoded';
const WAIT = { timeout: 60_000, interval: 50 };

/** Runs the steps one after the other, against the sandbox instead of the deployment in the examples. */
async function runScenario(steps: readonly Step[], addresses: Addresses, variables: Values): Promise<ScenarioOutcome> {
  const values: Record<string, string> = { ...variables };
  const ran = new Set<string>();
  const problems: string[] = [];
  for (const step of steps) {
    if (typeof step === 'function') Object.assign(values, await step(values));
    else {
      try {
        await runExample(step, addresses, values);
        ran.add(step.id);
      } catch (error) {
        problems.push(`${step.id} ${step.title ?? ''}: ${error instanceof Error ? error.message : String(error)}`);
      }
    }
  }
  return { ran, problems };
}

async function runExample(example: Example, addresses: Addresses, values: Record<string, string>): Promise<void> {
  const { id, until, status, keep = {} } = example;
  const row = DOCUMENTED_ROWS.get(id);
  if (row === undefined) throw new Error('there is no such call. Remove its example from the scenario.');
  const program = id in buildManagementEndpoints ? addresses.buildManagement : addresses.backend;
  const fill = (text: string) => here(text, addresses).replaceAll(/\$([A-Z_]+)/g, (shown, name: string) => values[name] ?? shown);
  const query = example.query === undefined ? '' : `?${fill(example.query)}`;
  const token = example.token === undefined && row.permission !== 'public' ? 'TOKEN' : (example.token ?? undefined);
  const body = bodyOf(example, row);
  const headers = {
    accept: '*/*',
    ...(token !== undefined && { 'x-auth-token': values[token] ?? '' }),
    ...Object.fromEntries(Object.entries(example.headers ?? {}).map(([name, value]) => [name, fill(value)])),
    ...(body !== undefined && { 'content-type': body.media }),
  };
  const sent = { method: row.method, headers, ...(body !== undefined && { body: fill(body.text) }) };
  const answer = await vi.waitFor(async () => {
    const found = await ask(program, fill(pathOf(example, row.path)) + query, sent);
    if (until !== undefined && found.status < 400 && !found.text.includes(until)) throw new Error(`${found.text} never contained ${until}`);
    return found;
  }, WAIT);
  const description = `answered ${answer.status} ${answer.text.slice(0, 2000)}`;
  const isExpected = status === undefined ? answer.status < 400 && answer.status in row.answers : answer.status === status;
  if (!isExpected) throw new Error(`${description}\ninstead of ${status ?? Object.keys(row.answers).join(' or ')}.`);
  for (const [name, valuePath] of Object.entries(keep)) values[name] = valueAt(answer, valuePath);
}

function pathOf({ params }: Example, path: string): string {
  return path.replaceAll(/\{(\w+)\*?\}/g, (_, name: string) => {
    const value = params?.[name] ?? PARAMETER_EXAMPLES[name];
    if (value === undefined) throw new Error(`PARAMETER_EXAMPLES has no value for {${name}}.`);
    return String(value);
  });
}

function bodyOf({ id, body: own }: Example, { body: expected }: Endpoint): { media: string; text: string } | undefined {
  const body = own === undefined ? BODY_EXAMPLES[id] : own;
  const media = expected?.media[0];
  if (media === undefined || body === null || (body === undefined && expected?.optional === true)) return undefined;
  if (body === undefined) throw new Error('BODY_EXAMPLES has no body for it.');
  if (typeof body === 'string') return { media, text: body };
  if (media !== FORM) return { media, text: JSON.stringify(body) };
  return {
    media,
    text: new URLSearchParams(Object.entries(body).map(([name, value]) => [name, String(value)])).toString().replaceAll('%24', '$'),
  };
}

/** Replaces the addresses and bare host names of the examples by those of the sandbox. */
function here(text: string, addresses: Addresses): string {
  const shown: readonly (readonly [string, string])[] = [
    ['https://author-p100-e200.adobeaemcloud.com', addresses.author],
    ['https://github.com', addresses.codeHost],
    ['https://config.example.com', addresses.backend],
    ['https://build.example.com', addresses.buildManagement],
    ['https://extension.example.com', addresses.extension],
    ['https://login.example.com', addresses.identity],
    ['https://git.example.com', addresses.vendorHost],
    ['author-p100-e200.adobeaemcloud.com', new URL(addresses.author).host],
    ['preview.example.com', addresses.previewDomain],
    ['live.example.com', addresses.liveDomain],
  ];
  return shown.reduce((made, [one, value]) => made.replaceAll(one, value), text);
}

/** `header etag`, or keys and numbers into the body. */
function valueAt({ headers, json }: TestAnswer, valuePath: string): string {
  const [, header] = /^header (.+)$/.exec(valuePath) ?? [];
  if (header !== undefined) return headers[header] ?? '';
  let at: unknown = json();
  for (const key of valuePath.split('.'))
    at = typeof at === 'object' && at !== null ? Object.entries(at).find(([name]) => name === key)?.[1] : at;
  if (typeof at !== 'string' && typeof at !== 'number') throw new Error(`there is nothing at ${valuePath} of the answer`);
  return String(at);
}
