import { expect, it } from 'vitest';
import { eachStore } from '../support/each-store.ts';
import { executeIn } from '../support/execute-in.ts';

eachStore(({ emptyPlace: place }) => {
  it('does not open on tables that a newer program has changed, and leaves them as they are', async () => {
    const used = await place();
    await used.open().then((store) => store.close());
    const left = "insert into kysely_migration (name, timestamp) values ('9999-of-the-future', '2100-01-01T00:00:00.000Z')";
    await executeIn(used.options, left);
    await expect(used.open()).rejects.toThrow(/9999-of-the-future/);
  });
});
