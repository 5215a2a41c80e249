import { parseArgs } from 'node:util';
import { startBuildManagementTarget } from './build-management-target.ts';
import { runFuzz, type FuzzReport } from './run-fuzz.ts';
import { startServiceTarget } from './service-target.ts';
import type { FuzzTarget } from './target.ts';

/** Most requests go to the service, because those to build management start git programs. */
const PROGRAMS = [
  { name: 'service', start: startServiceTarget, share: 0.8 },
  { name: 'build-management', start: startBuildManagementTarget, share: 0.2 },
] as const;

const { values } = parseArgs({
  options: { requests: { type: 'string', default: '100000' }, seed: { type: 'string', default: '1' }, program: { type: 'string' } },
});
const { program } = values;
for (const [index, { name, start, share }] of PROGRAMS.entries()) {
  if (program !== undefined && program !== name) continue;
  const requests = Math.round(Number(values.requests) * (program === undefined ? share : 1));
  console.log(`\n${name}`);
  // Each program gets different requests.
  await fuzz(await start(), { requests, seed: Number(values.seed) * PROGRAMS.length + index });
}

async function fuzz(target: FuzzTarget, options: { requests: number; seed: number }): Promise<void> {
  try {
    const start = performance.now();
    const report = await runFuzz(target, options);
    print(report, `seed ${options.seed} in ${Math.round((performance.now() - start) / 1000)} s`);
    if (report.faults.length > 0 || report.bystander.failed > 0) process.exitCode = 1;
  } finally {
    await target.stop();
  }
}

function print({ requests, endings, judged, faults, memory, bystander }: FuzzReport, about: string): void {
  console.log(JSON.stringify(endings, null, 2));
  for (const fault of faults) console.log(fault);
  const grown = Math.round((memory.after - memory.before) / 1024 / 1024);
  console.log(`${requests} requests of ${about}: ${judged} answers judged by the document, ${faults.length} faults`);
  console.log(`memory: ${Math.round(memory.before / 1024 / 1024)} MB after a tenth of them, ${grown} MB more at the end`);
  console.log(
    `another organization's reader waited ${bystander.median} ms, at most ${bystander.longest} ms; ${bystander.failed} times without an answer`,
  );
}
