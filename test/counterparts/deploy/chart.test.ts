import { extensionPolicy } from '@repoless/contract/extension.ts';
import { readBuildManagementSettings } from '@repoless/service/build-management/settings.ts';
import { readSettings } from '@repoless/service/config.ts';
import { execFile } from 'node:child_process';
import { mkdtemp, rm, writeFile } from 'node:fs/promises';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { promisify } from 'node:util';
import { beforeAll, describe, expect, it } from 'vitest';
import { parseAllDocuments } from 'yaml';
import { z } from 'zod';
import { CACHE, DEPLOY } from './cache.ts';
import { startBeforeAll } from '../../support/start-before-all.ts';
import { temporaryDirectory } from '../../support/child-backend.ts';

const run = promisify(execFile);
const CHART = join(DEPLOY, 'helm/repoless');
/** The oldest Kubernetes that the chart allows, and the newest. */
const KUBERNETES = ['1.25.0', '1.37.0'] as const;

const Manifest = z.looseObject({
  kind: z.string(),
  metadata: z.looseObject({ name: z.string() }),
  data: z.record(z.string(), z.string()).default({}),
  spec: z.looseObject({}).optional(),
});
type Manifest = z.infer<typeof Manifest>;

/** Renders the chart with Helm, with values in the form of `--set`. Rejects with Helm's output. */
async function render(...values: readonly string[]): Promise<string> {
  const parameters = ['template', 'demo', CHART, '--namespace', 'sites', '--kube-version', KUBERNETES[1]];
  return helm([...parameters, ...values.flatMap((value) => ['--set', value])]);
}

function manifestsOf(text: string): Manifest[] {
  return parseAllDocuments(text).flatMap((document) => {
    const value: unknown = document.toJS();
    return value === null ? [] : [Manifest.parse(value)];
  });
}

function lint(): Promise<string> {
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

/** The errors that kubeconform finds in manifests, by the schemas of a Kubernetes version; operators' kinds have none. */
async function faultsOf(manifests: string, kubernetes: string, ...skipped: readonly string[]): Promise<string[]> {
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
  const { stdout } = await run(join(CACHE, 'go/kubeconform'), parameters).catch((error: unknown) => Output.parse(error));
  await rm(folder, { recursive: true });
  return Faults.parse(JSON.parse(stdout)).resources.map(({ kind, name, msg }) => `${kind} ${name}: ${msg}`);
}

const Output = z.object({ stdout: z.string() });
const Faults = z.object({ resources: z.array(z.object({ kind: z.string(), name: z.string(), msg: z.string() })).default([]) });

let text: string;
let manifests: Manifest[];
beforeAll(async () => {
  text = await render();
  manifests = manifestsOf(text);
});
const secrets = startBeforeAll(temporaryDirectory);
beforeAll(async () => {
  await writeFile(join(secrets.path, 'DATABASE_URL'), 'postgres://repoless:hush@db.example.com/service');
  await writeFile(join(secrets.path, 'BUILD_MANAGEMENT_KEY'), 'a key of more than sixteen characters'.replaceAll(' ', '-'));
});

const Probe = z.object({ httpGet: z.object({ path: z.string(), port: z.literal('http') }) });
const Pod = z.object({
  template: z.object({
    spec: z.object({
      automountServiceAccountToken: z.literal(false),
      terminationGracePeriodSeconds: z.number().default(30),
      securityContext: z.object({
        runAsNonRoot: z.literal(true),
        runAsUser: z.literal(10_001),
        seccompProfile: z.object({ type: z.literal('RuntimeDefault') }),
      }),
      containers: z.array(
        z.object({
          securityContext: z.object({
            allowPrivilegeEscalation: z.literal(false),
            readOnlyRootFilesystem: z.literal(true),
            capabilities: z.object({ drop: z.tuple([z.literal('ALL')]) }),
          }),
          resources: z.object({ requests: z.object({ cpu: z.string(), memory: z.string() }), limits: z.object({ memory: z.string() }) }),
          startupProbe: Probe.optional(),
          livenessProbe: Probe,
          readinessProbe: Probe,
        }),
      ),
    }),
  }),
});

it('the chart passes helm lint', async () => {
  expect(await lint()).toContain('0 chart(s) failed');
});

describe.each(KUBERNETES)('the chart for Kubernetes %s', (version) => {
  it.each([
    ['with default values', []],
    ['without build management', ['buildManagement.enabled=false']],
    ['with code in a bucket, and recreated for an upgrade', ['service.settings.CODE_STORE=s3://code/prefix', 'service.strategy=Recreate']],
    ['with the Prometheus operator and without network policies', ['metrics.serviceMonitor=true', 'networkPolicy.enabled=false']],
    ['with custom values', ['imagePullSecrets[0].name=registry', 'ingress.annotations.a=b', 'buildManagement.storage.className=fast']],
  ])('is valid %s', async (_how, values) => {
    expect(await faultsOf(await render(...values), version, 'ServiceMonitor')).toEqual([]);
  });

  it('is rejected with a misspelled name, as the schemas are strict', async () => {
    const wrong = text.replace('readOnlyRootFilesystem', 'readOnlyRootFileSystem');
    expect(await faultsOf(wrong, version)).toEqual([expect.stringContaining("'readOnlyRootFileSystem' not allowed")]);
  });
});

it('the chart refuses several nodes without shared storage', async () => {
  await expect(render('service.settings.CODE_STORE=')).rejects.toThrow('CODE_STORE must be database or s3://bucket/prefix');
  await expect(render('service.secretSettings={IDP_CLIENT_SECRET}')).rejects.toThrow('secretSettings must name DATABASE_URL');
});

it('the chart passes valid settings to the programs, and their secrets as files', () => {
  const service = readSettings(dataOf('service'));
  expect(service).toMatchObject({ PUBLIC_ADDRESS: 'https://config.example.com', CODE_STORE: 'database', METRICS_PORT: 9100 });
  expect(service.DATABASE_URL?.reveal()).toBe('postgres://repoless:hush@db.example.com/service');
  const buildManagement = readBuildManagementSettings(dataOf('build-management'));
  expect(buildManagement).toMatchObject({ SERVICE_ADDRESS: service.PUBLIC_ADDRESS, PUBLIC_ADDRESS: service.BUILD_MANAGEMENT });
  expect(buildManagement.BUILD_MANAGEMENT_KEY).toEqual(service.BUILD_MANAGEMENT_KEY);
  expect(text).not.toContain('hush');
});

it('the chart runs each pod unprivileged, on a read-only root, with resource limits and probes', () => {
  const pods = manifests.filter(({ kind }) => ['Deployment', 'StatefulSet'].includes(kind));
  expect(pods.map(({ metadata }) => metadata.name)).toEqual(['demo-extension', 'demo-service', 'demo-build-management']);
  for (const { spec, metadata } of pods) {
    const { containers, terminationGracePeriodSeconds } = Pod.parse(spec).template.spec;
    for (const { livenessProbe, readinessProbe, startupProbe } of containers) {
      expect(livenessProbe.httpGet.path).toBe('/live');
      if (metadata.name === 'demo-extension') continue;
      expect([startupProbe?.httpGet.path, readinessProbe.httpGet.path]).toEqual(['/live', '/ready']);
      const { SHUTDOWN_DELAY: delay, SHUTDOWN_GRACE: grace = '10' } = dataOf(metadata.name.replace('demo-', ''));
      expect(Number(delay)).toBe(5);
      expect(terminationGracePeriodSeconds).toBeGreaterThan(Number(delay) + Number(grace));
    }
  }
});

it('the chart rolls over without losing a node, and stops all nodes for an upgrade that requires it', async () => {
  const strategy = (all: readonly Manifest[]) =>
    all.find(({ kind, metadata }) => kind === 'Deployment' && metadata.name === 'demo-service')?.spec?.['strategy'];
  expect(strategy(manifests)).toEqual({ type: 'RollingUpdate', rollingUpdate: { maxUnavailable: 0, maxSurge: 1 } });
  expect(strategy(manifestsOf(await render('service.strategy=Recreate')))).toEqual({ type: 'Recreate' });
});

it('the chart serves the extension with a content security policy for its addresses', () => {
  const info = {
    protocol: 'https',
    previewDomain: 'preview.example-sites.com',
    liveDomain: 'live.example-sites.com',
    buildManagement: 'https://build.example.com',
  } as const;
  const policy = extensionPolicy({ service: 'https://config.example.com', info, hosts: ['https://experience.adobe.com'] });
  const data = manifests.find(({ kind, metadata }) => kind === 'ConfigMap' && metadata.name === 'demo-extension')?.data;
  expect(data?.['headers.conf']).toContain(`add_header Content-Security-Policy "${policy}" always;`);
  expect(JSON.parse(data?.['settings.json'] ?? '')).toEqual({ service: 'https://config.example.com' });
});

/** The settings of a program, with its secrets in a folder of this test. */
function dataOf(part: string): Record<string, string> {
  const data = manifests.find(({ kind, metadata }) => kind === 'ConfigMap' && metadata.name === `demo-${part}`)?.data ?? {};
  return Object.fromEntries(Object.entries(data).map(([name, value]) => [name, value.replace('/run/secrets/repoless', secrets.path)]));
}
