import { z } from 'zod';
import { writtenOut } from '../../support/written-out.ts';

const Parameter = z.looseObject({ name: z.string(), in: z.string() });
const Body = z.looseObject({ content: z.record(z.string(), z.unknown()).optional() });
const Operation = z.looseObject({ parameters: z.array(Parameter).optional(), responses: z.record(z.string(), Body) });
const Document = z.looseObject({ paths: z.record(z.string(), z.record(z.string(), Operation)) });

/** What parameters of paths are called at some operations, and headers hold. */
export interface Names {
  /** A pattern of operations, each as `DELETE /config/{org}/sites/{site}.json`. */
  readonly at: RegExp;
  readonly names: Readonly<Record<string, string>>;
}

/**
 * A document whose examples name what is there. Of several names for a parameter the first holds. Answers of YAML have no schema here:
 * they are texts, but this reader parses them first.
 */
export function withExamples(document: unknown, known: readonly Names[]): unknown {
  const parsed = Document.parse(writtenOut(document));
  for (const [path, item] of Object.entries(parsed.paths)) {
    for (const [method, { parameters = [], responses }] of Object.entries(item)) {
      for (const { content } of Object.values(responses)) if (content?.['text/yaml'] !== undefined) content['text/yaml'] = {};
      const names = known.filter(({ at }) => at.test(`${method.toUpperCase()} ${path}`)).toReversed();
      const here: Record<string, string> = Object.assign({}, ...names.map((one) => one.names));
      for (const parameter of parameters) {
        const name = parameter.in === 'query' ? undefined : here[parameter.name];
        if (name !== undefined) parameter['example'] = name;
      }
    }
  }
  return parsed;
}
