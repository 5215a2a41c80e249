import { spawn } from 'node:child_process';
import { mkdtemp, readFile, rm, writeFile } from 'node:fs/promises';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { z } from 'zod';
import { installPython } from '../python-environment.ts';

export interface Tried {
  /** Where the program answers. */
  readonly address: string;
  /** Its OpenAPI document. */
  readonly document: unknown;
  /** A file beside this one. */
  readonly config: string;
  /** What the file refers to. */
  readonly variables: Readonly<Record<string, string>>;
}

const Report = z.object({
  complete: z.boolean(),
  exit_code: z.number(),
  operations: z.object({ selected: z.number(), tested: z.number(), errored: z.number() }),
  test_cases: z.object({ generated: z.number() }),
  failures: z.array(z.object({ title: z.string(), operations: z.array(z.string()) })),
});
export type Report = z.infer<typeof Report> & { /** What Schemathesis printed. */ readonly printed: string };

/** Installs Schemathesis in the versions of `requirements.txt`, once. Out: its program. */
export async function installSchemathesis(): Promise<string> {
  return join(await installPython('schemathesis', new URL('requirements.txt', import.meta.url)), 'st');
}

/** Tries every operation of a document on the program that it describes. */
export async function runSchemathesis(program: string, { address, document, config, variables }: Tried): Promise<Report> {
  const folder = await mkdtemp(join(tmpdir(), 'repoless-schemathesis-'));
  try {
    const [schema, report] = [join(folder, 'openapi.json'), join(folder, 'report.json')];
    await writeFile(schema, JSON.stringify(document));
    const options = ['--config-file', new URL(config, import.meta.url).pathname, 'run', schema, '--url', address];
    const printed = await output(program, [...options, '--report-json-path', report, '--no-color'], { folder, variables });
    const found: unknown = JSON.parse(await readFile(report, 'utf8').catch(() => Promise.reject(new Error(printed))));
    return { ...Report.parse(found), printed };
  } finally {
    await rm(folder, { recursive: true, force: true });
  }
}

/** What a program printed, whatever it ended with. */
function output(program: string, options: readonly string[], { folder, variables }: { folder: string; variables: Tried['variables'] }) {
  return new Promise<string>((resolve, reject) => {
    const env = { PATH: process.env['PATH'] ?? '', PYTHONHASHSEED: '0', ...variables };
    const child = spawn(program, options, { cwd: folder, env, stdio: ['ignore', 'pipe', 'pipe'] });
    let printed = '';
    for (const stream of [child.stdout, child.stderr]) stream.on('data', (chunk: Buffer) => (printed += chunk.toString()));
    child.once('error', reject);
    child.once('close', () => resolve(printed));
  });
}
