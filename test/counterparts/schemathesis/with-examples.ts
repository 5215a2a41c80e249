import { z } from 'zod';

const Parameter = z.looseObject({ name: z.string(), in: z.string() });
const Operation = z.looseObject({ parameters: z.array(Parameter).optional() });
const Document = z.looseObject({ paths: z.record(z.string(), z.record(z.string(), Operation)) });

/** A document whose examples name what is there. In: values of parameters, by the beginnings of the paths that they belong to. */
export function withExamples(document: unknown, values: Readonly<Record<string, Readonly<Record<string, string>>>>): unknown {
  const parsed = Document.parse(document);
  for (const [path, item] of Object.entries(parsed.paths)) {
    const known = Object.entries(values).find(([beginning]) => path.startsWith(beginning))?.[1];
    for (const parameter of Object.values(item).flatMap(({ parameters = [] }) => parameters)) {
      const value = parameter.in === 'path' ? known?.[parameter.name] : undefined;
      if (value !== undefined) parameter['example'] = value;
    }
  }
  return parsed;
}
