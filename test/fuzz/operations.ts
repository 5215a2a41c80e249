import { z } from 'zod';
import { writtenOut } from '../support/written-out.ts';

const Parameter = z.looseObject({
  name: z.string(),
  in: z.enum(['path', 'query', 'header']),
  schema: z.unknown(),
  example: z.unknown().optional(),
});
const Operation = z.looseObject({
  operationId: z.string(),
  parameters: z.array(Parameter).default([]),
  requestBody: z.looseObject({ content: z.record(z.string(), z.looseObject({ schema: z.unknown() })) }).optional(),
});
const Document = z.looseObject({ paths: z.record(z.string(), z.record(z.string(), Operation)) });

export type Parameter = z.infer<typeof Parameter>;
export interface FuzzedOperation {
  readonly method: string;
  readonly path: string;
  readonly parameters: readonly Parameter[];
  /** Schemas by media type. */
  readonly bodies: Readonly<Record<string, unknown>>;
}

/** The operations of an OpenAPI document. */
export function operationsOf(document: unknown): FuzzedOperation[] {
  const { paths } = Document.parse(writtenOut(document));
  return Object.entries(paths).flatMap(([path, item]) =>
    Object.entries(item).map(([method, { parameters, requestBody }]) => {
      const bodies = Object.fromEntries(Object.entries(requestBody?.content ?? {}).map(([media, { schema }]) => [media, schema]));
      return { method: method.toUpperCase(), path, parameters, bodies };
    }),
  );
}
