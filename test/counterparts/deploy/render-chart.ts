import { execFile } from 'node:child_process';
import { mkdtemp, rm, writeFile } from 'node:fs/promises';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { promisify } from 'node:util';
import { parseAllDocuments } from 'yaml';
import { z } from 'zod';
import { CACHE, DEPLOY } from './cache.ts';

const run = promisify(execFile);
const CHART = join(DEPLOY, 'helm/repoless');
/** The oldest Kubernetes that the chart allows, and the newest. */
export const KUBERNETES = ['1.25.0', '1.37.0'] as const;

const Manifest = z.looseObject({
  kind: z.string(),
  metadata: z.looseObject({ name: z.string() }),
  data: z.record(z.string(), z.string()).default({}),
  spec: z.looseObject({}).optional(),
});
export type Manifest = z.infer<typeof Manifest>;

/** What Helm makes of the chart, as text. In: values as `--set` takes them. Rejects with what Helm says. */
export async function render(...values: readonly string[]): Promise<string> {
  const parameters = ['template', 'demo', CHART, '--namespace', 'sites', '--kube-version', KUBERNETES[1]];
  return helm([...parameters, ...values.flatMap((value) => ['--set', value])]);
}

export function manifestsOf(text: string): Manifest[] {
  return parseAllDocuments(text).flatMap((document) => {
    const value: unknown = document.toJS();
    return value === null ? [] : [Manifest.parse(value)];
  });
}

export function lint(): Promise<string> {
  return helm(['lint', CHART, '--strict', '--kube-version', KUBERNETES[1]]);
}

async function helm(parameters: readonly string[]): Promise<string> {
  const home = await mkdtemp(join(tmpdir(), 'repoless-helm-'));
  try {
    const { stdout } = await run(join(CACHE, 'go/helm'), parameters, { env: { HOME: home } });
    return stdout;
  } finally {
    await rm(home, { recursive: true });
  }
}

/** What kubeconform finds wrong in manifests, by the schemas of a Kubernetes; kinds of operators have none. Out: its sentences, none where all hold. */
export async function faultsOf(manifests: string, kubernetes: string, ...skipped: readonly string[]): Promise<string[]> {
  const folder = await mkdtemp(join(tmpdir(), 'repoless-manifests-'));
  const file = join(folder, 'manifests.yaml');
  await writeFile(file, manifests);
  const schemas = `${join(CACHE, 'kubernetes-schemas', kubernetes)}/{{.ResourceKind}}{{.KindSuffix}}.json`;
  const parameters = [
    '-strict',
    '-output',
    'json',
    '-schema-location',
    schemas,
    ...(skipped.length > 0 ? ['-skip', skipped.join(',')] : []),
    file,
  ];
  const { stdout } = await run(join(CACHE, 'go/kubeconform'), parameters).catch((error: unknown) => Said.parse(error));
  await rm(folder, { recursive: true });
  return Faults.parse(JSON.parse(stdout)).resources.map(({ kind, name, msg }) => `${kind} ${name}: ${msg}`);
}

const Said = z.object({ stdout: z.string() });
const Faults = z.object({ resources: z.array(z.object({ kind: z.string(), name: z.string(), msg: z.string() })).default([]) });
