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

/** What axe finds wrong in a page or in a frame by itself, one line each; empty where all is well. */
export async function axeViolations(place: Page | Frame): Promise<string[]> {
  const source = await readFile(createRequire(import.meta.url).resolve('axe-core/axe.min.js'), 'utf8');
  await place.evaluate(source);
  const violations = await place.evaluate<unknown>('axe.run(document, { iframes: false }).then(({ violations }) => violations)');
  const violated = Found.parse(violations).map(
    ({ id, impact, help, nodes }) => `${id} (${impact ?? 'minor'}): ${help} ${nodes.map(({ html }) => html.slice(0, 200)).join(' | ')}`,
  );
  return [...violated, ...(await place.evaluate(nameMismatches))];
}
