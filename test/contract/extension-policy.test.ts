import { extensionPolicy } from '@repoless/contract/extension.ts';
import { readFile } from 'node:fs/promises';
import { expect, test } from 'vitest';

const info = { protocol: 'https', previewDomain: 'preview.example.com', liveDomain: 'live.example.com' } as const;
const service = 'https://config.example.com';

test('names every host by its origin, and nobody who may show it where no host is given', () => {
  const policy = extensionPolicy({
    service: `${service}/behind/a/path`,
    info: { ...info, buildManagement: 'https://git.example.com/x' },
    hosts: [],
  });
  expect(policy).toContain(
    "; connect-src 'self' https://config.example.com https://*.preview.example.com https://*.live.example.com https://git.example.com; frame-src https://*.preview.example.com;",
  );
  expect(policy).toMatch(/; frame-ancestors 'none'$/);
});

test('is what the operations page tells to send', async () => {
  const hosts = ['https://experience.adobe.com', 'https://author-p100-e200.example.com'];
  const policy = extensionPolicy({ service, info, hosts });
  expect(await readFile('docs/operations.md', 'utf8')).toContain(`\ncontent-security-policy: ${policy}\n`);
});
