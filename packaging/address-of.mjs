import { ScriptError } from '../sandbox/preparation/run.mjs';

/**
 * Parses an address given to a command and returns it without trailing slashes; `option` is named in the message. Refuses anything that is
 * not an address, has a query, a fragment or a password, or is neither HTTPS nor on this machine.
 */
export function addressOf(option, value) {
  if (value === undefined || value === '') throw new ScriptError(`Specify the address: ${option} https://extension.example.com`);
  const address = URL.canParse(value) ? new URL(value) : undefined;
  if (address === undefined)
    throw new ScriptError(`${option} ${value} is not a valid address. Use the form https://extension.example.com/path`);
  const here = ['localhost', '127.0.0.1', '[::1]'].includes(address.hostname);
  if (address.protocol !== 'https:' && !(address.protocol === 'http:' && here))
    throw new ScriptError(
      `${option} ${value} must start with https://, because browsers load nothing else into a page of an authoring system.`,
    );
  if (address.search !== '' || address.hash !== '' || address.username !== '')
    throw new ScriptError(`${option} ${value} must end with its path: no query, no fragment, no name or password.`);
  return address.href.replace(/\/+$/, '');
}
