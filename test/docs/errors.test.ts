import { expect, it } from 'vitest';
import { renderErrors } from './render-errors.ts';

it('tells of every error code in docs/errors.md: where it does not, run "npm run docs"', async () => {
  await expect(renderErrors()).toMatchFileSnapshot(new URL('../../docs/errors.md', import.meta.url).pathname);
});
