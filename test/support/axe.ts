import { readFile } from 'node:fs/promises';
import { createRequire } from 'node:module';
import type { Frame, Page } from 'playwright-core';
import { z } from 'zod';
import { nameMismatches } from './name-mismatches.ts';

const Found = z.array(
  z.object({
    id: z.string(),
    impact: z.string().nullish(),
    help: z.string(),
    nodes: z.array(z.object({ html: z.string(), target: z.unknown() })),
  }),
);

/** The violations that axe finds in a page or in a single frame, one line each; empty if there are none. */
export async function axeViolations(target: Page | Frame): Promise<string[]> {
  if ((await target.evaluate('typeof axe')) === 'undefined') await target.evaluate(await axeSource());
  // Without this option axe also collects every node that passes.
  const run = "axe.run(document, { iframes: false, resultTypes: ['violations'] }).then(({ violations }) => violations)";
  const violations = await target.evaluate<unknown>(run);
  const violated = Found.parse(violations).map(
    ({ id, impact, help, nodes }) => `${id} (${impact ?? 'minor'}): ${help} ${nodes.map(({ html }) => html.slice(0, 200)).join(' | ')}`,
  );
  return [...violated, ...(await target.evaluate(nameMismatches))];
}

let source: Promise<string> | undefined;
function axeSource(): Promise<string> {
  return (source ??= readFile(createRequire(import.meta.url).resolve('axe-core/axe.min.js'), 'utf8'));
}
