import { mediaType } from '@repoless/service/delivery/site-answers.ts';
import { expect, it } from 'vitest';

it.each(['a.html', 'a.css', 'a.js', 'a.svg', 'a.xml', 'a.txt', 'a.md', 'a.csv', 'A.HTML'])('%s is sent as text in UTF-8', (path) => {
  expect(mediaType(path)).toMatch(/^[a-z]+\/[a-z+]+; charset=utf-8$/);
});

it.each(['a', 'a.exe', 'a.constructor', '.htaccess'])('%s is sent as bytes that no browser runs', (path) => {
  expect(mediaType(path)).toBe('application/octet-stream');
});
