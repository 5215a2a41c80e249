import { spawn } from 'node:child_process';
import { mkdtemp, rm, writeFile } from 'node:fs/promises';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { z } from 'zod';
import { freePort } from '../../support/free-port.ts';

export interface Prometheus {
  /** The data of an answer of its HTTP API. Rejects where it refuses. */
  get(path: string, query?: Readonly<Record<string, string>>): Promise<unknown>;
  /** How many series an expression has just now, and their values. */
  values(expression: string): Promise<number[]>;
  stop(): Promise<void>;
}

/** A Prometheus that reads the metrics at `target` (host and port) each second, and evaluates the rules of `rules`. */
export async function startPrometheus(target: string, rules: string): Promise<Prometheus> {
  const folder = await mkdtemp(join(tmpdir(), 'repoless-prometheus-'));
  const config = {
    global: { scrape_interval: '1s', scrape_timeout: '1s', evaluation_interval: '1s' },
    rule_files: [rules],
    scrape_configs: [{ job_name: 'repoless', static_configs: [{ targets: [target] }] }],
  };
  // JSON is YAML.
  await writeFile(join(folder, 'prometheus.yml'), JSON.stringify(config));
  const address = `127.0.0.1:${await freePort()}`;
  const parameters = [
    `--config.file=${join(folder, 'prometheus.yml')}`,
    `--storage.tsdb.path=${join(folder, 'data')}`,
    `--web.listen-address=${address}`,
  ];
  const child = spawn('prometheus', parameters, { stdio: ['ignore', 'ignore', 'pipe'] });
  let written = '';
  const ended = new Promise<void>((resolve) => child.once('close', () => resolve()));
  await new Promise<void>((resolve, reject) => {
    child.once('error', (cause) => reject(new Error('Install Prometheus (Debian: apt-get install prometheus).', { cause })));
    child.stderr.on('data', (chunk: Buffer) => {
      written += chunk.toString();
      if (written.includes('Server is ready')) resolve();
    });
    void ended.then(() => reject(new Error(written)));
  });

  const get: Prometheus['get'] = async (path, query = {}) => {
    const response = await fetch(`http://${address}/api/v1/${path}?${new URLSearchParams(query).toString()}`);
    const answer = Answer.parse(await response.json());
    if (answer.status !== 'success') throw new Error(`${path} ${JSON.stringify(query)}: ${answer.error}`);
    return answer.data;
  };
  return {
    get,
    values: async (query) => Vector.parse(await get('query', { query })).result.map(({ value }) => Number(value[1])),
    async stop() {
      child.kill('SIGTERM');
      await ended;
      await rm(folder, { recursive: true, force: true });
    },
  };
}

const Answer = z.object({ status: z.string(), data: z.unknown(), error: z.string().optional() });
const Vector = z.object({ result: z.array(z.object({ value: z.tuple([z.number(), z.string()]) })) });
