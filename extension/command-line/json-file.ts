import type { z } from 'zod';
import { jsonPointer } from '#contract/errors.ts';
import { LIMITS } from '#contract/limits.ts';
import { assistant as messages } from '#extension/messages/en/assistant.ts';
import { UsageProblem } from './cli-context.ts';
import type { Place } from './cli-context.ts';
import { sentenceOf, wrong } from './site-file-text.ts';
import type { ParsedFile } from './site-file-text.ts';

/**
 * Reads a file that is JSON, in a time that its length bounds. Throws UsageProblem; a place has a pointer, and no line (line 0).
 * `most`: values that it may have, those within others included.
 */
export function parseJsonFile<S extends z.ZodType>(text: string, schema: S, most: number): ParsedFile<z.output<S>> {
  const value = parsedJson(text);
  if (!hasFew(value, most)) throw new UsageProblem(messages.refused.manyValues(most));
  const parsed = schema.safeParse(value, { error: sentenceOf });
  if (parsed.success) return { value: parsed.data, placeOf };
  throw wrong(parsed.error.issues.slice(0, LIMITS.toldErrors).map(({ path, message }) => placeOf(path, message)));
}

function parsedJson(text: string): unknown {
  try {
    return JSON.parse(text);
  } catch {
    throw new UsageProblem(messages.refused.noJson);
  }
}

function placeOf(path: readonly PropertyKey[], sentence: string): Place {
  return { file: '', line: 0, column: 0, pointer: jsonPointer(path), sentence };
}

/** Level by level: nothing that is nested deeply calls itself. */
function hasFew(value: unknown, most: number): boolean {
  let level: readonly unknown[] = [value];
  for (let seen = 0; level.length > 0;) {
    seen += level.length;
    if (seen > most) return false;
    level = level.flatMap((one) => (typeof one === 'object' && one !== null ? Object.values(one) : []));
  }
  return true;
}
