import { type IncomingMessage, request, type ServerResponse } from 'node:http';
import { afterAll, beforeAll, expect, test } from 'vitest';
import { type Receiver, startReceiver } from '../support/receiver.ts';
import { apply, open, stateOf, undo } from './apply.ts';
import { ADA, type SetupWorld, startSetupWorld } from './setup-world.ts';

const PAGE = '/content/summit';
let around: SetupWorld;
let between: Receiver;
/** A write to the authoring system whose form contains this is acknowledged but not stored. */
let swallowed: string | undefined;

beforeAll(async () => {
  around = await startSetupWorld();
  between = await startReceiver((incoming, response) => void passOn(incoming, response));
});
afterAll(async () => {
  await between.stop();
  await around.stop();
});

async function passOn(incoming: IncomingMessage, response: ServerResponse): Promise<void> {
  const pieces: Buffer[] = [];
  for await (const piece of incoming) pieces.push(Buffer.from(piece as Uint8Array));
  const body = Buffer.concat(pieces);
  const isForm = incoming.method === 'POST' && incoming.url?.startsWith('/authoring/') === true;
  if (isForm && swallowed !== undefined && body.includes(swallowed)) {
    response.writeHead(200, { 'content-type': 'text/html' }).end('<html><body>All is well.</body></html>');
    return;
  }
  const options = { method: incoming.method, headers: { ...incoming.headers, host: new URL(around.backend.address).host } };
  request(`${around.backend.address}${incoming.url}`, options, (answer) => {
    response.writeHead(answer.statusCode ?? 502, answer.headers);
    answer.pipe(response);
  }).end(body);
}

const notWritten = (step: string) => ({
  outcome: 'failed',
  step,
  failure: { kind: 'unexpected', system: 'authoring', finding: { kind: 'not-written', address: expect.stringContaining('/conf/summit') } },
});

test('A step is done only once the authoring system has what it wrote', async () => {
  const ada = await around.person(ADA, { service: between.address });
  swallowed = 'repolessPrevious';
  const opened = await open(ada, PAGE);
  expect((await apply(ada, PAGE, opened)).result).toMatchObject(notWritten('keep-previous'));
  // No later step ran: the previous values are not lost.
  expect(stateOf((await open(ada, PAGE)).plan, 'register-site')).toEqual({ kind: 'create' });

  swallowed = '.%2FprojectType=';
  expect((await apply(ada, PAGE, await open(ada, PAGE))).result).toMatchObject(notWritten('project-type'));
  swallowed = undefined;
  expect((await apply(ada, PAGE, await open(ada, PAGE))).result).toEqual({ outcome: 'complete' });

  // The same for the undo, which ends with the removal of the record.
  swallowed = 'repolessPrevious%40Delete';
  expect((await undo(ada, PAGE)).result).toMatchObject(notWritten('keep-previous'));
  swallowed = undefined;
  expect((await undo(ada, PAGE)).result).toEqual({ outcome: 'complete' });
});
