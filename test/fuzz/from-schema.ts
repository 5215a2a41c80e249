import type { Random } from './random.ts';
import type { Texts } from './texts.ts';

/** A JSON schema, as far as values are made from it. */
interface Schema {
  readonly $ref?: string;
  readonly type?: string | readonly string[];
  readonly const?: unknown;
  readonly enum?: readonly unknown[];
  readonly examples?: readonly unknown[];
  readonly anyOf?: readonly Schema[];
  readonly oneOf?: readonly Schema[];
  readonly allOf?: readonly Schema[];
  readonly properties?: Readonly<Record<string, Schema>>;
  readonly required?: readonly string[];
  readonly additionalProperties?: boolean | Schema;
  readonly items?: Schema;
}

/** Makes values of the schemas of an OpenAPI document; now and then one that does not fit. */
export function valuesOf(document: unknown, random: Random, texts: Texts): (schema: unknown) => unknown {
  function resolve(schema: Schema): Schema {
    if (schema.$ref === undefined) return schema;
    const found = schema.$ref
      .replace(/^#\//, '')
      .split('/')
      .reduce<unknown>((node, name) => Reflect.get(Object(node), name), document);
    return asSchema(found);
  }

  function value(given: Schema, depth: number): unknown {
    const schema = resolve(given);
    if (depth > DEEPEST || random.chance(WRONG)) return anyValue(depth);
    if (schema.const !== undefined) return schema.const;
    if (schema.enum !== undefined) return random.pick(schema.enum);
    if (schema.examples !== undefined && random.chance(0.5)) return random.pick(schema.examples);
    const branches = schema.anyOf ?? schema.oneOf;
    if (branches !== undefined) return value(random.pick(branches), depth + 1);
    if (schema.allOf !== undefined) return Object.assign({}, ...schema.allOf.map((one) => value(one, depth + 1)));
    switch ([schema.type].flat()[0]) {
      case 'object':
        return object(schema, depth);
      case 'array':
        return Array.from({ length: random.below(4) }, () => value(schema.items ?? {}, depth + 1));
      case 'string':
        return random.chance(0.6) ? texts.known() : texts.any();
      case 'integer':
      case 'number':
        return random.pick([0, 1, 2, 60, -1, 1.5, 1e21, 4_294_967_296]);
      case 'boolean':
        return random.chance(0.5);
      case 'null':
        return null;
      default:
        return anyValue(depth);
    }
  }

  function object(schema: Schema, depth: number): Record<string, unknown> {
    const required = new Set(schema.required);
    const made: Record<string, unknown> = {};
    for (const [name, property] of Object.entries(schema.properties ?? {}))
      if (required.has(name) ? !random.chance(WRONG) : random.chance(0.4)) define(made, name, value(property, depth + 1));
    const { additionalProperties: more } = schema;
    const extra = typeof more === 'object' ? random.below(3) : random.chance(WRONG) ? 1 : 0;
    for (let count = 0; count < extra; count += 1)
      define(made, random.chance(0.6) ? texts.known() : texts.any(), value(typeof more === 'object' ? more : {}, depth + 1));
    return made;
  }

  function anyValue(depth: number): unknown {
    switch (random.below(depth > DEEPEST ? 5 : 8)) {
      case 0:
        return null;
      case 1:
        return random.chance(0.5);
      case 2:
        return random.pick([0, -1, 1e308, 0.1, 2 ** 53]);
      case 3:
      case 4:
        return texts.any();
      case 5:
        return Array.from({ length: random.below(5) }, () => anyValue(depth + 1));
      case 6:
        return nested(random.below(100));
      default: {
        const made: Record<string, unknown> = {};
        for (let count = random.below(5); count > 0; count -= 1) define(made, texts.any(), anyValue(depth + 1));
        return made;
      }
    }
  }

  function nested(levels: number): unknown {
    let made: unknown = 1;
    for (let level = 0; level < levels; level += 1) made = level % 2 === 0 ? [made] : { a: made };
    return made;
  }

  return (schema) => value(asSchema(schema), 0);
}

// A name may be one that every object has.
function define(made: Record<string, unknown>, name: string, value: unknown): void {
  Object.defineProperty(made, name, { value, enumerable: true, configurable: true, writable: true });
}

function asSchema(value: unknown): Schema {
  return typeof value === 'object' && value !== null ? value : {};
}

const WRONG = 0.08;
const DEEPEST = 8;
