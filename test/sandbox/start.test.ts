import { mkdtemp, rm } from 'node:fs/promises';
import { createServer } from 'node:net';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { afterEach, describe, expect, test } from 'vitest';
import { freePorts, portsFrom } from '@repoless/sandbox/addresses.ts';
import { serviceTokenOf } from '@repoless/sandbox/sign-in-as.ts';
import { startSandbox } from '@repoless/sandbox/start.ts';

const undo: (() => Promise<unknown>)[] = [];
afterEach(async () => {
  for (const step of undo.splice(0).toReversed()) await step();
});

describe('starting the sandbox', () => {
  test('prepares the service once, and keeps what was removed later removed', async () => {
    const dataDir = await temporaryFolder();
    const ports = await freePorts();
    const first = await startSandbox({ dataDir, ports });
    undo.push(() => first.stop());
    const headers = { 'x-auth-token': await serviceTokenOf('ada.admin@example.com', first.addresses) };
    const site = `${first.addresses.backend}/config/wknd/sites/harbour.json`;
    expect((await fetch(site, { headers })).status).toBe(200);
    expect((await fetch(site, { method: 'DELETE', headers })).status).toBe(204);
    await first.stop();

    const second = await startSandbox({ dataDir, ports });
    undo.push(() => second.stop());
    expect((await fetch(site, { headers })).status).toBe(404);
    expect((await fetch(`${second.addresses.backend}/config/wknd/sites/wknd.json`, { headers })).status).toBe(200);
  });

  test('the service survives being ended hard', async () => {
    const sandbox = await startSandbox({ dataDir: await temporaryFolder(), ports: 'free' });
    undo.push(() => sandbox.stop());
    const pid = sandbox.backend.pid;
    await sandbox.backend.kill('SIGKILL');
    await expect(fetch(`${sandbox.addresses.backend}/health`)).rejects.toThrow();
    await sandbox.backend.restart();
    expect(sandbox.backend.pid).not.toBe(pid);
    expect((await fetch(`${sandbox.addresses.backend}/health`)).status).toBe(200);
  });

  test('a port that is taken is named, with the setting that moves it', async () => {
    const ports = await freePorts();
    const neighbour = createServer().listen(ports.authoring, '127.0.0.1');
    undo.push(() => new Promise((closed) => neighbour.close(closed)));
    await expect(startSandbox({ dataDir: await temporaryFolder(), ports })).rejects.toThrow(
      `Port ${ports.authoring} is in use by another program. Stop that program, or choose another port, for example: AUTHORING_PORT=`,
    );
  });

  test('a port that is none is refused in a sentence', () => {
    expect(() => portsFrom({ CONSOLE_PORT: '99999' })).toThrow('CONSOLE_PORT is "99999": write a port number from 1 to 65535.');
  });
});

async function temporaryFolder(): Promise<string> {
  const folder = await mkdtemp(join(tmpdir(), 'repoless-sandbox-'));
  undo.unshift(() => rm(folder, { recursive: true, force: true }));
  return folder;
}
