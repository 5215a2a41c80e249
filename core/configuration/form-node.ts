import type { JsonSchema as Schema } from '@repoless/contract/site.ts';

/** How a value is edited, derived from its schema. */
export type FormNode =
  | TextNode
  | { readonly kind: 'number'; readonly min?: number; readonly max?: number }
  | { readonly kind: 'switch' }
  | { readonly kind: 'choice'; readonly options: readonly string[] }
  /** Several of the options. */
  | { readonly kind: 'choices'; readonly options: readonly string[] }
  | { readonly kind: 'list'; readonly item: FormNode; readonly max?: number }
  /** Values under names that the author chooses. */
  | { readonly kind: 'record'; readonly value: FormNode; readonly longestKey?: number }
  | ObjectNode
  /** One of several objects, by the value of a member; the first if that is missing. */
  | { readonly kind: 'variants'; readonly by: string; readonly variants: readonly Variant[] }
  /** Anything else: as JSON. */
  | { readonly kind: 'json' };

export interface TextNode {
  readonly kind: 'text';
  readonly maxLength?: number;
}

export interface ObjectNode {
  readonly kind: 'object';
  readonly fields: readonly FormField[];
}

export interface FormField {
  readonly name: string;
  readonly isRequired: boolean;
  readonly node: FormNode;
}

export interface Variant {
  readonly name: string | undefined;
  readonly node: ObjectNode;
}

/** The form for a JSON schema. What it doesn't cover is edited as JSON, so that a new part of the contract can be edited immediately. */
export function formOf(schema: Schema): FormNode {
  const variants = variantsOf(schema);
  if (variants !== undefined) return variants;
  switch (schema.type) {
    case 'string':
      return schema.enum === undefined
        ? { kind: 'text', ...defined({ maxLength: schema.maxLength }) }
        : { kind: 'choice', options: schema.enum.map(String) };
    case 'number':
    case 'integer':
      return { kind: 'number', ...defined({ min: schema.minimum, max: schema.maximum }) };
    case 'boolean':
      return { kind: 'switch' };
    case 'array': {
      const { items } = schema;
      if (typeof items !== 'object' || Array.isArray(items)) return { kind: 'json' };
      const item = formOf(items);
      return item.kind === 'choice'
        ? { kind: 'choices', options: item.options }
        : { kind: 'list', item, ...defined({ max: schema.maxItems }) };
    }
    case 'object':
      return objectOf(schema) ?? { kind: 'json' };
    default:
      return { kind: 'json' };
  }
}

export function variantOf(node: Extract<FormNode, { kind: 'variants' }>, type: unknown): Variant | undefined {
  return node.variants.find(({ name }) => name === type);
}

/** The initial value of a new entry: what the schema requires, empty. */
export function emptyValue(node: FormNode): unknown {
  switch (node.kind) {
    case 'text':
      return '';
    case 'list':
    case 'choices':
      return [];
    case 'object':
      return Object.fromEntries(node.fields.filter(({ isRequired }) => isRequired).map((field) => [field.name, emptyValue(field.node)]));
    case 'record':
    case 'variants':
    case 'json':
      return {};
    case 'switch':
      return false;
    case 'number':
      return 0;
    case 'choice':
      return node.options[0];
    default:
      return node satisfies never;
  }
}

function objectOf({ properties, required = [], additionalProperties, propertyNames }: Schema): FormNode | undefined {
  if (properties !== undefined) return { kind: 'object', fields: fieldsOf(properties, required) };
  if (typeof additionalProperties !== 'object') return undefined;
  const longestKey = typeof propertyNames === 'object' ? propertyNames.maxLength : undefined;
  return { kind: 'record', value: formOf(additionalProperties), ...defined({ longestKey }) };
}

function fieldsOf(properties: Readonly<Record<string, Schema | boolean>>, required: readonly string[]): FormField[] {
  return Object.entries(properties).map(([name, schema]) => ({
    name,
    isRequired: required.includes(name),
    node: typeof schema === 'object' ? formOf(schema) : { kind: 'json' },
  }));
}

/** Several objects, distinguished by a member with a constant value. */
function variantsOf({ anyOf }: Schema): FormNode | undefined {
  const objects = anyOf?.filter((one) => typeof one === 'object' && one.type === 'object') ?? [];
  const by = objects.map(constOf).find((name) => name !== undefined);
  if (by === undefined || objects.length !== anyOf?.length) return undefined;
  const variants = objects.map(({ properties = {}, required = [] }) => {
    const { [by]: type, ...others } = properties;
    const name = typeof type === 'object' && typeof type.const === 'string' ? type.const : undefined;
    return { name, node: { kind: 'object' as const, fields: fieldsOf(others, required) } };
  });
  return { kind: 'variants', by, variants };
}

function constOf({ properties = {} }: Schema): string | undefined {
  return Object.entries(properties).find(([, one]) => typeof one === 'object' && one.const !== undefined)?.[0];
}

function defined<T extends Readonly<Record<string, number | undefined>>>(values: T): { [K in keyof T]?: number } {
  const entries = Object.entries(values).filter(([, value]) => value !== undefined);
  return Object.fromEntries(entries) as { [K in keyof T]?: number };
}
