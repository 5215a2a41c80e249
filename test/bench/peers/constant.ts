import { once } from 'node:events';
import { fileURLToPath } from 'node:url';
import type { Workspace } from '../workspace.ts';

const SERVER = fileURLToPath(new URL('./constant-server.js', import.meta.url));

/** Starts the bare node:http server with the given answer. Returns its port. */
export async function startConstant(workspace: Workspace, answer: string): Promise<{ port: number }> {
  const child = workspace.start(process.execPath, [SERVER], { stdio: ['pipe', 'pipe', 'inherit'] });
  child.stdin?.end(answer);
  if (child.stdout === null) throw new Error('The constant server has no output.');
  const [line] = await once(child.stdout.setEncoding('utf8'), 'data');
  return { port: Number(line) };
}
