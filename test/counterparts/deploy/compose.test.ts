import { readFile } from 'node:fs/promises';
import { join } from 'node:path';
import { Ajv2020 } from 'ajv/dist/2020.js';
import { expect, it } from 'vitest';
import { parse } from 'yaml';
import { z } from 'zod';
import { CACHE, DEPLOY } from './cache.ts';

it('compose.yaml matches the Compose specification', async () => {
  const schema = z.looseObject({}).parse(JSON.parse(await readFile(join(CACHE, 'compose-schema/compose-spec.json'), 'utf8')));
  const validate = new Ajv2020({ strict: false, validateFormats: false }).compile(schema);
  const compose: unknown = parse(await readFile(join(DEPLOY, 'compose/compose.yaml'), 'utf8'), { merge: true });
  validate(compose);
  expect(validate.errors).toBeNull();
  expect(validate({ ...Object(compose), surprises: {} })).toBe(false);
});
