/** The content type of a file of the code, by the ending of its name. Text is UTF-8. */
export function mediaType(path: string): string {
  const ending = /\.([a-z0-9]+)$/i.exec(path)?.[1]?.toLowerCase() ?? '';
  return TYPES.get(ending) ?? 'application/octet-stream';
}

const TEXT = '; charset=utf-8';
const TYPES: ReadonlyMap<string, string> = new Map([
  ['html', `text/html${TEXT}`],
  ['htm', `text/html${TEXT}`],
  ['css', `text/css${TEXT}`],
  ['js', `text/javascript${TEXT}`],
  ['mjs', `text/javascript${TEXT}`],
  ['cjs', `text/javascript${TEXT}`],
  ['json', 'application/json'],
  ['map', 'application/json'],
  ['webmanifest', 'application/manifest+json'],
  ['xml', `application/xml${TEXT}`],
  ['txt', `text/plain${TEXT}`],
  ['md', `text/markdown${TEXT}`],
  ['csv', `text/csv${TEXT}`],
  ['yaml', 'application/yaml'],
  ['yml', 'application/yaml'],
  ['svg', `image/svg+xml${TEXT}`],
  ['png', 'image/png'],
  ['jpg', 'image/jpeg'],
  ['jpeg', 'image/jpeg'],
  ['gif', 'image/gif'],
  ['webp', 'image/webp'],
  ['avif', 'image/avif'],
  ['ico', 'image/vnd.microsoft.icon'],
  ['woff', 'font/woff'],
  ['woff2', 'font/woff2'],
  ['ttf', 'font/ttf'],
  ['otf', 'font/otf'],
  ['mp4', 'video/mp4'],
  ['webm', 'video/webm'],
  ['mp3', 'audio/mpeg'],
  ['wav', 'audio/wav'],
  ['pdf', 'application/pdf'],
  ['wasm', 'application/wasm'],
  ['zip', 'application/zip'],
]);
