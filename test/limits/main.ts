import { cpus } from 'node:os';
import { parseArgs } from 'node:util';
import { buildBackend } from '../support/child-backend.ts';
import { startHostileWorld } from '../faults/hostile-world.ts';
import type { Observed } from '../faults/hostile-world.ts';
import { CONFIGURATION_INPUTS } from './configuration-inputs.ts';
import { observeFunctions } from './function-inputs.ts';
import type { LimitInput } from './limit-input.ts';
import { REQUEST_INPUTS, WEBHOOK_SECRET } from './request-inputs.ts';
import { SOURCE_INPUTS } from './source-inputs.ts';

/** `npm run bench:limits [-- --only <text>] [-- --rounds <number>]`: what each limit's input costs, as a table in Markdown. */
const { values } = parseArgs({ options: { only: { type: 'string', default: '' }, rounds: { type: 'string', default: '3' } } });
const rounds = Number(values.rounds);
const BOUND = 50;

print(`${cpus()[0]?.model ?? 'unknown'}, ${cpus().length} processors, Node ${process.versions.node}; the median of ${rounds} rounds\n`);
print('| Limits | Input | Longest without a turn, processor ms | The same, ms that passed | Whole ms | Answers |');
print('| --- | --- | --- | --- | --- | --- |');
await buildBackend();
let over = 0;
for (const inputs of [CONFIGURATION_INPUTS, REQUEST_INPUTS, SOURCE_INPUTS]) {
  const wanted = inputs.filter(({ name, limits }) => `${name} ${limits.join(' ')}`.includes(values.only));
  if (wanted.length > 0) await observeInProgram(wanted);
}
for (const { name, limits, ...seen } of await observeFunctions(rounds, values.only)) show(limits, name, seen, []);
print(`\n${over === 0 ? 'None is' : `${over} are`} over ${BOUND} ms.`);
process.exitCode = over === 0 ? 0 : 1;

async function observeInProgram(inputs: readonly LimitInput[]): Promise<void> {
  const world = await startHostileWorld({ CODE_LISTING_TIME: '5', GITHUB_WEBHOOK_SECRET: WEBHOOK_SECRET });
  try {
    for (const input of inputs) {
      await input.prepare?.(world);
      const seen: Observed[] = [];
      for (let round = 0; round < rounds; round += 1) seen.push(await world.observe(input));
      const middle = (figure: (one: Observed) => number) => seen.map(figure).sort((a, b) => a - b)[Math.floor(rounds / 2)] ?? 0;
      const found = { standstill: middle((one) => one.standstill), delay: middle((one) => one.delay), whole: middle((one) => one.whole) };
      show(input.limits, input.name, found, [...new Set(seen.flatMap(({ statuses }) => statuses))]);
    }
  } finally {
    await world.stop();
  }
}

function show(
  limits: readonly string[],
  name: string,
  { standstill, delay, whole }: Pick<Observed, 'standstill' | 'delay' | 'whole'>,
  statuses: readonly number[],
): void {
  if (standstill > BOUND) over += 1;
  const mark = standstill > BOUND ? '**' : '';
  print(
    `| ${limits.map((limit) => `\`${limit}\``).join(', ')} | ${name} | ${mark}${standstill}${mark} | ${delay} | ${whole} | ${statuses.join(', ')} |`,
  );
}

function print(text: string): void {
  process.stdout.write(`${text}\n`);
}
