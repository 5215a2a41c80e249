import type { Call } from '../situation/call.ts';

/**
 * A call as a command line to copy. Tokens and the service's address are shell variables, never values: `$SERVICE`
 * (unless `service` is given), `$TOKEN`, `$AUTHORING_TOKEN`, `$CSRF_TOKEN` and `$SECRET`.
 */
export function toCurl(call: Call, service?: string): string {
  const lines = [`curl -X ${call.method} ${address(call, service)}`, ...headers(call), ...body(call)];
  return lines.join(' \\\n  ');
}

function address(call: Call, service: string | undefined): string {
  if (call.target !== 'service') return quoted(call.address);
  return service === undefined ? `"$SERVICE"${quoted(call.address)}` : quoted(`${service}${call.address}`);
}

function headers(call: Call): string[] {
  const condition = [
    ...(call.ifMatch === undefined ? [] : [`-H ${quoted(`if-match: ${call.ifMatch}`)}`]),
    ...(call.ifNoneMatch === undefined ? [] : [`-H ${quoted(`if-none-match: ${call.ifNoneMatch}`)}`]),
  ];
  switch (call.target) {
    case 'service':
    case 'build-management':
      return ['-H "x-auth-token: $TOKEN"', ...condition];
    case 'authoring':
      return [
        '-H "authorization: Bearer $AUTHORING_TOKEN"',
        ...(call.method === 'GET' ? [] : ['-H "CSRF-Token: $CSRF_TOKEN"']),
        ...condition,
      ];
    case 'host':
      return condition;
    default:
      return call.target satisfies never;
  }
}

function body(call: Call): string[] {
  if (call.body === undefined) return [];
  if (call.body.type === 'json') return [`-H ${quoted('content-type: application/json')}`, `-d ${quoted(JSON.stringify(call.body.value))}`];
  // The person fills in the value: a shell variable, like the tokens.
  if (call.body.type === 'secret') return [`-H ${quoted('content-type: application/json')}`, '-d "{\\"value\\":\\"$SECRET\\"}"'];
  return call.body.fields.map(([name, value]) => `--data-urlencode ${quoted(`${name}=${value}`)}`);
}

function quoted(text: string): string {
  return `'${text.replaceAll("'", `'\\''`)}'`;
}
