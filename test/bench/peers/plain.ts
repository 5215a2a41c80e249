import { once } from 'node:events';
import { join } from 'node:path';
import { fileURLToPath } from 'node:url';
import type { Workspace } from '../workspace.ts';

const SERVER = fileURLToPath(new URL('./plain-server.js', import.meta.url));

/** Starts the plain prototype of a durable PUT on an empty database. Returns its port. */
export async function startPlain(workspace: Workspace): Promise<{ port: number }> {
  const file = join(await workspace.directory('plain'), 'plain.sqlite');
  const child = workspace.start(process.execPath, [SERVER, file], { stdio: ['ignore', 'pipe', 'inherit'] });
  if (child.stdout === null) throw new Error('The plain prototype has no output.');
  const [line] = await once(child.stdout.setEncoding('utf8'), 'data');
  return { port: Number(line) };
}
