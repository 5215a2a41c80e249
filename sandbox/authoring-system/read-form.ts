/**
 * The fields of a form as Sling reads them: in the encoding that the field `_charset_` names, and without it in ISO-8859-1, whatever
 * the content type says. An encoding that is not known counts as none.
 */
export function readForm(body: Uint8Array): URLSearchParams {
  const pairs = Buffer.from(body)
    .toString('latin1')
    .split('&')
    .filter((pair) => pair !== '')
    .map((pair): [string, string] => {
      const equals = pair.indexOf('=');
      return equals < 0 ? [pair, ''] : [pair.slice(0, equals), pair.slice(equals + 1)];
    });
  const charset = pairs.find(([name]) => name === '_charset_')?.[1] ?? '';
  const decode = decoder(charset);
  return new URLSearchParams(pairs.map(([name, value]): [string, string] => [decode(bytesOf(name)), decode(bytesOf(value))]));
}

function bytesOf(text: string): Buffer {
  const characters = text
    .replaceAll('+', ' ')
    .replaceAll(/%([0-9a-f]{2})/gi, (_all, hexadecimal: string) => String.fromCharCode(Number.parseInt(hexadecimal, 16)));
  return Buffer.from(characters, 'latin1');
}

function decoder(charset: string): (bytes: Buffer) => string {
  return /^utf-?8$/i.test(charset) ? (bytes) => bytes.toString('utf8') : (bytes) => bytes.toString('latin1');
}
