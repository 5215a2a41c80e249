import { expect, it } from 'vitest';
import type { Org } from '@repoless/contract/org.ts';
import { org } from '../support/builders.ts';
import { eachStore } from '../support/each-store.ts';

const users = (...emails: string[]): Partial<Org> => ({ users: emails.map((email, id) => ({ id: String(id), email, roles: ['admin'] })) });

eachStore((engine) => {
  it('finds the organizations that name somebody, in their order, and follows each change', async () => {
    const { reads, write } = await engine.open();
    const put = async (name: string, extra: Partial<Org>, version = 1) =>
      write(async (writes) => {
        await writes.org(name);
        await writes.putOrg({ ...org(name, extra), version });
      });
    await put('beta', { ...users('Ada@example.com', 'ada@example.com'), groups: { all: { members: [{ email: 'bob@example.com' }] } } });
    await put('alpha', users('*@example.com', '*', 'groups/all', 'odd\0"name'));
    const naming = (...entries: string[]) => reads.orgsNaming(entries, { limit: 9 });
    expect(await naming('ada@example.com')).toEqual(['beta']);
    expect(await naming('bob@example.com', '*@example.com')).toEqual(['alpha', 'beta']);
    expect(await naming('odd\uFFFD"name')).toEqual(['alpha']);
    expect(await naming('*', 'groups/all', '')).toEqual([]);
    expect(await reads.orgsNaming(['ada@example.com', '*@example.com'], { limit: 1 })).toEqual(['alpha']);
    expect(await reads.orgsNaming(['ada@example.com', '*@example.com'], { limit: 9, after: 'alpha' })).toEqual(['beta']);

    await put('beta', users('carl@example.com'), 2);
    expect(await naming('ada@example.com', 'bob@example.com')).toEqual([]);
    expect(await naming('carl@example.com')).toEqual(['beta']);
    await put('beta', { users: [] }, 3);
    expect(await naming('carl@example.com')).toEqual([]);
  });
});
